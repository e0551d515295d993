/**
 * Combines words into commands, pipelines and a script.
 *
 * Invariant: a script has at most `maxCommands` commands, however nested; a longer one is refused as a whole, never
 * cut.
 */
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import { refuseUnplain } from './plain-list.ts';
import { ScriptParser } from './script-parser.ts';
import type { Script, ShellCommand, ShellList } from './shell-list.ts';

export function parseScript(text: string): Script | ShellBoundary {
  return new ScriptParser(text).whole();
}

/** A text that consists of simple commands with plain words. */
export function parseShellList(text: string): ShellList | ShellBoundary {
  const script = parseScript(text);
  if (isBoundary(script)) return script;
  const steps: { -readonly [K in keyof ShellList[number]]: ShellList[number][K] }[] = [];
  for (const step of script) {
    const pipeline: ShellCommand[] = [];
    if (step.negated || step.timed)
      return boundary('keyword', step.pipeline[0]?.at ?? 0, "! and time belong to the shell's own language");
    for (const stage of step.pipeline) {
      const refused = refuseUnplain(stage);
      if (refused) return refused;
      if (stage.kind === 'simple') pipeline.push(stage);
    }
    steps.push({ ...step, pipeline });
  }
  return steps;
}
