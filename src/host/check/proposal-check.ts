/**
 * Judges edits of an agent: those it is about to make, in a temporary overlay, and those it has made, against the texts
 * from before.
 *
 * Invariant: the disk is read and never written.
 */
import type { OverlayCheck } from '../../evaluation/evaluator.ts';
import type { LiveWorkspace } from '../../live/live-workspace.ts';
import { editText, type LayerEntry, Overlay, readText } from '../../overlay/overlay.ts';
import type { Scope } from '../../servers/projection.ts';
import { applyContextHunks, type ContextHunk } from '../../text/context-patch.ts';
import { InvalidArgument } from '../../tools/failure.ts';
import { replaceQuote } from '../../tools/old-text.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { Forerun } from '../forerun.ts';
import { judgeOverlay, type PatchCheck } from './patch-check.ts';

export type ProposedChange =
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'passages'; readonly passages: readonly Passage[] }
  | { readonly kind: 'hunks'; readonly hunks: readonly ContextHunk[] }
  | { readonly kind: 'removed' }
  /** The text of another file, which is removed, with hunks applied to it. */
  | { readonly kind: 'moved'; readonly from: string; readonly hunks: readonly ContextHunk[] };

export interface Passage {
  readonly oldText: string;
  readonly newText: string;
  readonly which: 'all' | undefined;
}

export interface ProposedEdit {
  /** Absolute. */
  readonly filePath: string;
  readonly change: ProposedChange;
}

/** A file and what it contained; an undefined text stands for its absence. */
export interface FormerText {
  /** Absolute. */
  readonly filePath: string;
  readonly text: string | undefined;
}

export interface JudgingLimits {
  readonly scope: Scope;
  readonly timeoutMs: number;
}

export interface AgentCheck extends OverlayCheck, Pick<PatchCheck, 'workspace' | 'withheld'> {}

/** The edits are one change. All files are in the workspace of the first. */
export async function checkProposal(
  forerun: Forerun,
  { edits, ...limits }: JudgingLimits & { readonly edits: readonly ProposedEdit[] },
  signal: AbortSignal,
): Promise<AgentCheck> {
  const [first] = edits;
  if (first === undefined) throw new InvalidArgument('there is no edit to judge');
  const { workspace, live } = await forerun.workspaces.forFile(first.filePath, signal);
  let overlay = live.emptyOverlay();
  for (const { filePath, change } of edits)
    overlay = await proposed(overlay, workspace, { filePath, change });
  return judge(forerun, { live, overlay, against: 'disk', limits }, signal);
}

/**
 * What happened to files since they had these texts; one answer for each workspace that they are in, none for a
 * workspace where nothing changed.
 */
export async function checkSince(
  forerun: Forerun,
  { before, ...limits }: JudgingLimits & { readonly before: readonly FormerText[] },
  signal: AbortSignal,
): Promise<readonly AgentCheck[]> {
  const groups = new Map<LiveWorkspace, (readonly [WorkspacePath, LayerEntry])[]>();
  for (const { filePath, text } of before) {
    const { workspace, live } = await forerun.workspaces.forFile(filePath, signal);
    const entry: LayerEntry = text === undefined ? 'removed' : { kind: 'text', text };
    const path = await workspace.resolve(filePath);
    groups.set(live, [...(groups.get(live) ?? []), [path, entry] as const]);
  }
  const checks: AgentCheck[] = [];
  for (const [live, entries] of groups) {
    const disk = live.emptyOverlay();
    const former = disk.writeAll(entries);
    const current = entries.map(async ([path]) => [path, (await disk.read(path)) ?? 'removed'] as const);
    const overlay = Overlay.on(former).writeAll(await Promise.all(current));
    if ((await overlay.changes()).length === 0) continue;
    checks.push(await judge(forerun, { live, overlay, against: 'beneath', limits }, signal));
  }
  return checks;
}

interface Judged {
  readonly live: LiveWorkspace;
  readonly overlay: Overlay;
  readonly against: 'disk' | 'beneath';
  readonly limits: JudgingLimits;
}

function judge(forerun: Forerun, { limits, ...judged }: Judged, signal: AbortSignal): Promise<AgentCheck> {
  return judgeOverlay(
    forerun,
    { ...judged, ...limits, onProgress: () => {}, judged: 'patch', caller: 'hook' },
    signal,
  );
}

async function proposed(
  overlay: Overlay,
  workspace: Workspace,
  { filePath, change }: ProposedEdit,
): Promise<Overlay> {
  const path = await workspace.resolve(filePath);
  switch (change.kind) {
    case 'whole':
      return written(overlay, path, change.text);
    case 'removed':
      return overlay.remove(path);
    case 'hunks':
      return editText(overlay, path, (text) => patched(text, change.hunks));
    case 'moved': {
      const from = await workspace.resolve(change.from);
      const { text } = await readText(overlay, from);
      return (await written(overlay, path, patched(text, change.hunks))).remove(from);
    }
    case 'passages':
      return replaced(overlay, path, change.passages);
  }
}

async function written(overlay: Overlay, path: WorkspacePath, text: string): Promise<Overlay> {
  const isThere = (await overlay.read(path)) !== undefined;
  return isThere ? editText(overlay, path, () => text) : overlay.writeText(path, text);
}

function patched(text: string, hunks: readonly ContextHunk[]): string {
  const after = applyContextHunks(text, hunks);
  if (after === undefined) throw new InvalidArgument('the patch does not apply to the file');
  return after;
}

async function replaced(
  overlay: Overlay,
  path: WorkspacePath,
  passages: readonly Passage[],
): Promise<Overlay> {
  // An empty passage in a file that does not exist stands for its creation.
  const [first, ...others] = passages;
  const isCreated = first?.oldText === '' && (await overlay.read(path)) === undefined;
  const start = isCreated ? overlay.writeText(path, first.newText) : overlay;
  return editText(start, path, (text) => (isCreated ? others : passages).reduce(replacedPassage, text));
}

function replacedPassage(text: string, passage: Passage): string {
  const outcome = replaceQuote(text, passage);
  if (outcome.kind === 'replaced') return outcome.text;
  throw new InvalidArgument('the text to replace does not occur in the file');
}
