/**
 * One file of a proposal: what the agent would make of it, in hunks that the user decides about one by one.
 *
 * Invariants: a ProposedFile is a value. The text of the user is the baseline with what was accepted, and whatever
 * they typed since; a hunk is only ever put where its own lines stand, so a decision never overwrites typing.
 */
import { randomUUID } from 'node:crypto';
import type { TextContent } from '../../agent/files/editable-file.ts';
import { compareLines, diffText } from '../../text/diff.ts';
import { applyChange, type Change, mapOffset, normaliseChange } from '../../text/text-edit.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';

export type HunkDecision =
  | { readonly kind: 'open' | 'accepted' | 'rejected' }
  /** Accepted with the user's text in place of the agent's. */
  | { readonly kind: 'edited'; readonly text: string };

export interface ProposedHunk {
  readonly id: string;
  /** Whole lines of the baseline, as offsets. */
  readonly start: number;
  readonly end: number;
  /** What the agent puts there. */
  readonly text: string;
  /** The first line in the baseline and in the agent's text, from 0. */
  readonly oldLine: number;
  readonly newLine: number;
  readonly decision: HunkDecision;
}

/** Whether the file is there before and after. */
export type FileFate = 'created' | 'changed' | 'deleted';

export class ProposedFile {
  readonly path: WorkspacePath;
  readonly fate: FileFate;
  /** The text the agent began with; empty for a file it creates. */
  readonly baseline: string;
  readonly hunks: readonly ProposedHunk[];
  /** Byte order mark and mode of what is written. */
  readonly #like: TextContent;

  private constructor(parts: ProposedParts) {
    this.path = parts.path;
    this.fate = parts.fate;
    this.baseline = parts.baseline;
    this.hunks = parts.hunks;
    this.#like = parts.like;
  }

  /** What turns one content into another, all of it open; undefined if they are the same. */
  static between(
    path: WorkspacePath,
    before: TextContent | undefined,
    after: TextContent | undefined,
  ): ProposedFile | undefined {
    const like = after ?? before;
    if (!like || before?.text === after?.text) return undefined;
    const baseline = before?.text ?? '';
    const fate = before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed';
    const hunks =
      fate === 'changed' ? hunksBetween(baseline, after?.text ?? '') : [wholeFile(baseline, after?.text)];
    return new ProposedFile({ path, fate, baseline, hunks, like });
  }

  /** What the agent wants the file to be. */
  get proposed(): string {
    return applyChange(
      this.baseline,
      this.hunks.map(({ start, end, text }) => ({ start, end, text })),
    );
  }

  /** The baseline with what was accepted. */
  get accepted(): string {
    return applyChange(
      this.baseline,
      this.hunks.map((hunk) => ({ start: hunk.start, end: hunk.end, text: this.#landed(hunk) })),
    );
  }

  /** The lines that a hunk replaces. */
  replaced({ start, end }: ProposedHunk): string {
    return this.baseline.slice(start, end);
  }

  /** The same file after decisions about some of its hunks. */
  decided(decisions: ReadonlyMap<string, HunkDecision>): ProposedFile {
    const hunks = this.hunks.map((hunk) => ({ ...hunk, decision: decisions.get(hunk.id) ?? hunk.decision }));
    return new ProposedFile({ ...this, hunks, like: this.#like });
  }

  /**
   * The user's file with decisions carried out; `undefined` as content is no file, `conflict` means that the user
   * changed the very lines.
   */
  carriedOut(
    current: TextContent | undefined,
    decisions: ReadonlyMap<string, HunkDecision>,
  ): { readonly content: TextContent | undefined } | 'conflict' {
    const after = this.decided(decisions);
    if (this.fate === 'changed') return this.#edited(current, after);
    const was = this.#existence(this.hunks[0]);
    const will = after.#existence(after.hunks[0]);
    if (current?.text !== was && will !== was) return 'conflict';
    return { content: will === undefined ? undefined : { ...this.#like, text: will } };
  }

  /** The user's file with every open hunk in it, which is what the agent sees. Hunks whose lines changed are left out. */
  seenByAgent(current: TextContent | undefined): TextContent | undefined {
    const open = this.hunks.filter(({ decision }) => decision.kind === 'open').map(({ id }) => id);
    const whole = this.carriedOut(current, accepting(open));
    if (whole !== 'conflict') return whole.content;
    const fitting: string[] = [];
    let seen = current;
    for (const id of open) {
      const next = this.carriedOut(current, accepting([...fitting, id]));
      if (next === 'conflict') continue;
      fitting.push(id);
      seen = next.content;
    }
    return seen;
  }

  #edited(
    current: TextContent | undefined,
    after: ProposedFile,
  ): { readonly content: TextContent | undefined } | 'conflict' {
    if (!current) return 'conflict';
    const typed = diffText(this.accepted, current.text);
    const splices: { start: number; end: number; text: string }[] = [];
    let shift = 0;
    for (const [index, hunk] of this.hunks.entries()) {
      const landed = this.#landed(hunk);
      const start = hunk.start + shift;
      const end = start + landed.length;
      shift += landed.length - (hunk.end - hunk.start);
      const next = after.hunks[index];
      const text = next ? after.#landed(next) : landed;
      if (text === landed) continue;
      if (isTouched(typed, start, end)) return 'conflict';
      const from = mapOffset(typed, start, 'after');
      splices.push({ start: from, end: from + landed.length, text });
    }
    return { content: { ...current, text: applyChange(current.text, normaliseChange(splices)) } };
  }

  /** What stands in the user's file where the hunk is. */
  #landed({ start, end, text, decision }: ProposedHunk): string {
    if (decision.kind === 'accepted') return text;
    return decision.kind === 'edited' ? decision.text : this.baseline.slice(start, end);
  }

  /** The whole text of a file that is created or deleted as its one hunk was decided; undefined: there is none. */
  #existence(hunk: ProposedHunk | undefined): string | undefined {
    const decision = hunk?.decision ?? { kind: 'open' as const };
    if (decision.kind === 'edited') return decision.text;
    const isDone = decision.kind === 'accepted';
    if (this.fate === 'created') return isDone ? hunk?.text : undefined;
    return isDone ? undefined : this.baseline;
  }
}

interface ProposedParts {
  readonly path: WorkspacePath;
  readonly fate: FileFate;
  readonly baseline: string;
  readonly hunks: readonly ProposedHunk[];
  readonly like: TextContent;
}

export function accepting(ids: readonly string[]): ReadonlyMap<string, HunkDecision> {
  return new Map(ids.map((id) => [id, { kind: 'accepted' }]));
}

/** What an edit made of one text, made of another that has changed since; undefined if both changed the same lines. */
export function mergedContent(
  path: WorkspacePath,
  { before, after }: { readonly before: TextContent | undefined; readonly after: TextContent | undefined },
  current: TextContent | undefined,
): { readonly content: TextContent | undefined } | 'conflict' {
  if (before?.text === current?.text) return { content: after };
  const file = ProposedFile.between(path, before, after);
  if (!file) return { content: current };
  return file.carriedOut(current, accepting(file.hunks.map(({ id }) => id)));
}

/** Whether typing altered the stretch; what is typed at its borders leaves it whole. */
function isTouched(typed: Change, start: number, end: number): boolean {
  if (start === end) return typed.some((splice) => splice.start < start && splice.end > start);
  return typed.some((splice) => splice.start < end && splice.end > start);
}

function hunksBetween(before: string, after: string): readonly ProposedHunk[] {
  const [old, next] = [lineBorders(before), lineBorders(after)];
  return compareLines(before, after).map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    id: randomUUID(),
    start: old[oldStart] ?? before.length,
    end: old[oldEnd] ?? before.length,
    text: after.slice(next[newStart] ?? after.length, next[newEnd] ?? after.length),
    oldLine: oldStart,
    newLine: newStart,
    decision: { kind: 'open' },
  }));
}

function wholeFile(baseline: string, text = ''): ProposedHunk {
  const decision = { kind: 'open' } as const;
  return { id: randomUUID(), start: 0, end: baseline.length, text, oldLine: 0, newLine: 0, decision };
}

/** The offset of each line, then that of the end of the text; only `\n` ends a line, as in the comparison. */
function lineBorders(text: string): readonly number[] {
  const borders = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) borders.push(at + 1);
  if (borders.at(-1) !== text.length) borders.push(text.length);
  return borders;
}
