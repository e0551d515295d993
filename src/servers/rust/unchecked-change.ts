/**
 * The parts of a change to Rust sources that no target was compiled with: files that no module declares, packages
 * that are no members, code behind features and for other platforms.
 *
 * Invariant: a changed token counts as checked only if a target was compiled that read its file and met every
 * condition around it. A change in comments alone is no change to code.
 */

import { directoryOf } from '../../graph/reach/reach-family.ts';
import type { FileChange } from '../../overlay/overlay.ts';
import { compareLines } from '../../text/diff.ts';
import { LineIndex } from '../../text/position.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { baseName } from '../../workspace/workspace-path.ts';
import type { FileDiagnostics } from '../proof.ts';
import { manifestIn } from './cargo-project.ts';
import { type CfgPredicate, type CfgSettings, holds, printCfg } from './cfg-predicate.ts';
import { type CfgRegion, cfgRegions } from './cfg-region.ts';
import { type RustToken, rustTokens } from './rust-token.ts';

/** The compiler's answers on both sides of a change, and the files after it. */
export interface CheckedSides {
  readonly before: readonly FileDiagnostics[];
  readonly after: readonly FileDiagnostics[];
  readonly readText: (path: string) => Promise<string | undefined>;
}

/** What was not checked and why, a sentence for each file; empty if no compiler reported which files it read. */
export async function uncheckedParts(
  changes: readonly FileChange[],
  sides: CheckedSides,
): Promise<readonly string[]> {
  const [past, present] = [sides.before, sides.after].map(
    (answers) => new Map(answers.map((answer) => [answer.path, settingsOf(answer)])),
  );
  const failing = new Set(sides.after.filter(hasErrors).map(({ path }) => path));
  const sentences: string[] = [];
  for (const change of changes) {
    const origin = change.from ?? change.path;
    const now = present?.get(change.path);
    const then = past?.get(origin) ?? now;
    const subject =
      change.after === undefined ? { path: origin, settings: then } : { path: change.path, settings: now };
    // A file with errors was read, even if they stopped the compilation of its target.
    if (subject.settings === undefined || failing.has(subject.path)) continue;
    if (subject.settings.length === 0) sentences.push(await whyUnread(subject.path, sides));
    else if (change.after !== undefined)
      sentences.push(...uncheckedRegion(change, { past: then ?? [], present: subject.settings }));
  }
  return sentences;
}

function settingsOf({ proof }: FileDiagnostics): readonly CfgSettings[] | undefined {
  return proof.kind === 'checked' ? proof.compiledIn : undefined;
}

function hasErrors({ diagnostics }: FileDiagnostics): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

async function whyUnread(path: WorkspacePath, { after, readText }: CheckedSides): Promise<string> {
  const condition = await conditionOfModule(path, readText);
  if (condition) return `${path} was not checked: it is ${describe(condition)}.`;
  if (after.some(hasErrors))
    return `${path} was not checked: no target that reads it got so far. Fix the errors there are, then ask again.`;
  const home = await packageOf(path, readText);
  const place = home
    ? `; its package in ${home} may be no member of the workspace, and is checked there`
    : '';
  return `${path} was not checked: no target compiles this file. Declare it as a module or target${place}.`;
}

/** The condition under which a file's module is declared, if the declaring file is found. */
async function conditionOfModule(
  path: string,
  readText: CheckedSides['readText'],
): Promise<CfgPredicate | undefined> {
  const isDirectory = baseName(path) === 'mod.rs';
  const name = isDirectory ? baseName(directoryOf(path)) : baseName(path).replace(/\.rs$/, '');
  const directory = isDirectory ? directoryOf(directoryOf(path)) : directoryOf(path);
  const beside = ['mod.rs', 'lib.rs', 'main.rs'].map((file) => (directory ? `${directory}/${file}` : file));
  for (const parent of [...beside, `${directory}.rs`]) {
    const text = await readText(parent);
    if (text === undefined) continue;
    const region = declaring(text, name);
    if (region) return region.predicate;
    // If a module is excluded, so are its submodules. A crate's root is in no other module.
    const isModule = parent !== path && !/(?:^|\/)(?:lib|main)\.rs$/.test(parent);
    const condition = isModule ? await conditionOfModule(parent, readText) : undefined;
    if (condition) return condition;
  }
  return undefined;
}

function declaring(text: string, name: string): CfgRegion | undefined {
  return cfgRegions(rustTokens(text)).find(({ declares }) => declares === name);
}

/** The package a file lies in, unless that is the outermost. */
async function packageOf(path: string, readText: CheckedSides['readText']): Promise<string | undefined> {
  for (let directory = directoryOf(path); directory !== ''; directory = directoryOf(directory)) {
    if ((await readText(manifestIn(directory))) !== undefined) return directory;
  }
  return undefined;
}

interface SettingsOfSides {
  readonly past: readonly CfgSettings[];
  readonly present: readonly CfgSettings[];
}

function uncheckedRegion(
  { path, before, after }: FileChange,
  { past, present }: SettingsOfSides,
): readonly string[] {
  const [old, current] = [sourceOf(before), sourceOf(after)];
  for (const hunk of compareLines(old.text, current.text)) {
    const { was, is } = difference(
      old.tokensIn(hunk.oldStart, hunk.oldEnd),
      current.tokensIn(hunk.newStart, hunk.newEnd),
    );
    const found = current.leftOut(is, present) ?? old.leftOut(was, past);
    if (found) return [`${path}:${found.line} was not checked: it is ${describe(found.predicate)}.`];
  }
  return [];
}

/** The tokens of both sides without their common prefix and suffix. */
function difference(
  before: readonly RustToken[],
  after: readonly RustToken[],
): { readonly was: readonly RustToken[]; readonly is: readonly RustToken[] } {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head]?.text === after[head]?.text) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail)?.text === after.at(-1 - tail)?.text) tail += 1;
  return { was: before.slice(head, before.length - tail), is: after.slice(head, after.length - tail) };
}

function sourceOf(content: FileContent | undefined): Source {
  return new Source(content?.kind === 'text' ? content.text : '');
}

class Source {
  readonly #index: LineIndex;
  readonly #tokens: readonly RustToken[];
  readonly #regions: readonly CfgRegion[];

  constructor(readonly text: string) {
    this.#index = new LineIndex(text);
    this.#tokens = rustTokens(text);
    this.#regions = cfgRegions(this.#tokens);
  }

  /** The tokens that touch lines from `first` up to, not including, `end`. */
  tokensIn(first: number, end: number): readonly RustToken[] {
    return this.#tokens.filter(
      (token) =>
        this.#index.positionAt(token.start).line < end && this.#index.positionAt(token.end).line >= first,
    );
  }

  /** The first of the tokens that was compiled with no settings, by the condition around it. */
  leftOut(
    tokens: readonly RustToken[],
    settings: readonly CfgSettings[],
  ): { readonly line: number; readonly predicate: CfgPredicate } | undefined {
    for (const { start } of tokens) {
      const around = this.#regions.filter((region) => region.start <= start && start < region.end);
      const isCompiled = settings.some((each) =>
        around.every(({ predicate }) => holds(predicate, each) === true),
      );
      if (around.length === 0 || isCompiled) continue;
      const unmet = around.find(({ predicate }) => !settings.some((each) => holds(predicate, each) === true));
      const [outermost] = around;
      const predicate = (unmet ?? outermost)?.predicate;
      if (predicate) return { line: this.#index.positionAt(start).line + 1, predicate };
    }
    return undefined;
  }
}

function describe(predicate: CfgPredicate): string {
  if (predicate.kind === 'option' && predicate.name === 'feature' && predicate.value !== undefined) {
    const { value } = predicate;
    return `behind feature "${value}", which no checked target enables; \`cargo check --all-targets --features ${value}\` does`;
  }
  return `behind cfg(${printCfg(predicate)}), which is not known to hold for any checked target; check it where it does`;
}
