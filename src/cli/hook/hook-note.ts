/** The notes about its edits that an agent receives, in sentences. */
import type { AgentCheck } from '../../host/check/proposal-check.ts';
import { counted } from '../../text/counted-noun.ts';
import { fileCoverage } from '../../tools/evaluation-payload.ts';
import { type AgentSpelling, agentPath } from './agent-path.ts';
import type { ShownFinding } from './hook-event.ts';

/** What was judged, and whether it is on disk: `planned` edits are not. */
export type JudgedMoment = 'planned' | 'denied' | 'made' | 'turn';

const shownErrors = 10;

export function brokenNote(errors: readonly ShownFinding[], moment: JudgedMoment): string {
  const shown = errors.slice(0, shownErrors).map(({ file, diagnostic }) => {
    const { line, character } = diagnostic.range.start;
    return `${file}:${line + 1}:${character + 1} ${diagnostic.message.split('\n')[0]}`;
  });
  const rest = errors.length - shown.length;
  const more = rest > 0 ? [`and ${rest} more`] : [];
  return [heads[moment](counted(errors.length, 'error')), ...shown, ...more].join('\n');
}

const heads: Readonly<Record<JudgedMoment, (errors: string) => string>> = {
  planned: (errors) => `Forerun: this edit introduces ${errors}. Fix them, here or in the files named:`,
  denied: (errors) => `This edit would introduce ${errors}; nothing was written:`,
  made: (errors) => `Forerun: this edit introduced ${errors}. Fix them, here or in the files named:`,
  turn: (errors) => `Forerun: the edits of this turn introduced ${errors}. Fix them before you stop:`,
};

export function passingNote(checks: readonly AgentCheck[], verdict: 'clean' | 'unknown'): string {
  if (verdict === 'unknown')
    return 'Checked by Forerun: no errors were seen, but their absence is not proved.';
  const evaluations = checks.flatMap((check) => check.evaluations);
  const [first] = evaluations;
  if (first?.scope === 'file') {
    return `Checked by Forerun: this edit introduces no errors ${fileCoverage(first)}.`;
  }
  const files = new Set(evaluations.flatMap(({ evaluatedFiles }) => evaluatedFiles)).size;
  return `Checked by Forerun: this edit introduces no errors (proved over ${counted(files, 'file')}).`;
}

export function errorsIn(checks: readonly AgentCheck[], spelling: AgentSpelling): readonly ShownFinding[] {
  return checks.flatMap(({ workspace, evaluations }) =>
    evaluations
      .flatMap(({ introduced }) => introduced.filter(({ diagnostic }) => diagnostic.severity === 'error'))
      .map(({ path, diagnostic }) => ({ file: agentPath(workspace.absolute(path), spelling), diagnostic })),
  );
}
