/**
 * Edits on their way to the disk, and what the language servers make of the files afterwards.
 *
 * Invariant: an edit lands as a whole or not at all; once it has, nothing that goes wrong in counting errors
 * makes it look as if it had not.
 */
import { Failure } from '../../base/failure.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import type { Overlay } from '../../overlay/overlay.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { EditConflict } from '../failure.ts';
import type { ToolContext } from '../tool-context.ts';
import type { LandedEdit, ToolResult } from '../tool-result.ts';
import { countDiagnostics, type DiagnosticCount } from './diagnostic-count.ts';

interface Landing {
  /** The counters every edit tells, for the hint and the metadata of an answer. */
  readonly extras: Pick<ToolResult, 'hint' | 'warnings' | 'meta' | 'landed'>;
}

/** Makes the overlay real and counts what is wrong with the files it touched. */
export async function landEdit(
  context: ToolContext,
  {
    view,
    overlay,
    advice,
  }: { readonly view: WorkspaceView; readonly overlay: Overlay; readonly advice: string },
  signal: AbortSignal,
): Promise<Landing> {
  await refuseUnsaved(view, [...overlay.layer().keys()]);
  const paths = await pathsOf(overlay);
  const land = () => commitEdit(view, overlay, signal);
  const { outcome, extras } = await landAndCount(context, { view, paths, land, advice }, signal);
  return { extras: { ...extras, ...warned(outcome.warnings) } };
}

/** Has an edit land whose answer tells the diagnostics of its files. */
export async function landAndCount<T>(
  context: ToolContext,
  {
    advice,
    ...edit
  }: {
    readonly view: WorkspaceView;
    readonly paths: readonly WorkspacePath[];
    readonly land: () => Promise<T>;
    readonly advice: string;
  },
  signal: AbortSignal,
): Promise<Landing & { readonly outcome: T }> {
  const { view, paths } = edit;
  const countAfter = () => countDiagnostics(context, { view, paths, timeoutMs: countingMs }, signal);
  const { outcome, landed, after } = await recordEdit(context, { ...edit, countAfter }, signal);
  return { outcome, extras: { ...countersOf(after, advice), landed } };
}

/** Makes an overlay real; the answer tells nothing of diagnostics. */
export async function landUncounted(
  context: ToolContext,
  { view, overlay }: { readonly view: WorkspaceView; readonly overlay: Overlay },
  signal: AbortSignal,
): Promise<Pick<ToolResult, 'warnings' | 'landed'>> {
  const paths = await pathsOf(overlay);
  const land = () => commitEdit(view, overlay, signal);
  const { outcome, landed } = await recordEdit(context, { view, paths, land }, signal);
  return { ...warned(outcome.warnings), landed };
}

export interface CommittedEdit {
  readonly written: readonly WorkspacePath[];
  /** What the commit did beside what was asked, such as separating hard links. */
  readonly warnings: readonly string[];
}

/** Makes the overlay real; a file that changed meanwhile is a failure, and nothing is written. */
export async function commitEdit(
  { live }: WorkspaceView,
  overlay: Overlay,
  signal: AbortSignal,
): Promise<CommittedEdit> {
  const options = { durability: 'process', onConflict: 'refuse' } as const;
  const outcome = await live.commits.commit(overlay, options, signal);
  if (outcome.kind === 'conflict') throw new EditConflict(outcome.paths);
  return outcome;
}

/** Warnings of a commit as part of an answer. */
export function warned(warnings: readonly string[]): Pick<ToolResult, 'warnings'> {
  return warnings.length > 0 ? { warnings: warnings.map((warning) => `Warning: ${warning}`) } : {};
}

const countingMs = 25_000;

/** Shorter: the edit waits for it, and only the record needs it. */
const countingBeforeMs = 10_000;

export interface RecordedEdit<T> {
  readonly outcome: T;
  readonly landed: LandedEdit;
}

/**
 * Has an edit land, and counts the diagnostics of its files before and after where calls are recorded. What cannot be
 * counted is left out of the record, and never keeps an edit from landing.
 */
export async function recordEdit<T>(
  context: ToolContext,
  edit: {
    readonly view: WorkspaceView;
    readonly paths: readonly WorkspacePath[];
    readonly land: () => Promise<T>;
    /** Counts afterwards where the answer tells it as well; absent: counted for the record alone. */
    readonly countAfter?: () => Promise<DiagnosticCount>;
  },
  signal: AbortSignal,
): Promise<RecordedEdit<T> & { readonly after: DiagnosticCount | undefined }> {
  const { view, paths } = edit;
  const counted = (timeoutMs: number) => countDiagnostics(context, { view, paths, timeoutMs }, signal);
  const before = context.audit && (await counted(countingBeforeMs));
  const outcome = await edit.land();
  const after = await (edit.countAfter?.() ?? (context.audit && counted(countingMs)));
  const files = paths.map((path) => view.workspace.absolute(path));
  return { outcome, after, landed: { files, ...countsOf('before', before), ...countsOf('after', after) } };
}

function countsOf(when: 'before' | 'after', count: DiagnosticCount | undefined): Partial<LandedEdit> {
  return count?.kind === 'counted' ? { [when]: count.counts } : {};
}

/** Every path that an overlay writes, removes or moves away from. */
export async function pathsOf(overlay: Overlay): Promise<readonly WorkspacePath[]> {
  const changes = await overlay.changes();
  return [...new Set(changes.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path])))];
}

/** `errors_after: N, warnings_after: M.` for the files as they are now; what did not settle is said to be unknown. */
function countersOf(count: DiagnosticCount | undefined, advice: string): Landing['extras'] {
  if (count?.kind === 'counted') {
    const { errors, warnings } = count.counts;
    return {
      hint: `${counters(errors, warnings)}. ${advice}`,
      ...(count.settledBy === 'quiet' && { meta: { diagnostics: { settled_by: 'quiet' } } }),
    };
  }
  const why = count?.why ?? 'nothing was counted';
  return {
    hint: `${counters('unknown', 'unknown')}. The edit is on disk, but ${why}; get_diagnostics asks again.`,
    ...(count && { meta: { diagnostics: count.details } }),
  };
}

function counters(errors: number | 'unknown', warnings: number | 'unknown'): string {
  return `errors_after: ${errors}, warnings_after: ${warnings}`;
}

/** The server was asked about the unsaved text, so what it answered does not fit the file on disk. */
export async function refuseUnsaved(
  { overlay }: WorkspaceView,
  paths: readonly WorkspacePath[],
): Promise<void> {
  const unsaved = new Set((await overlay.changes()).map(({ path }) => path));
  const touched = paths.filter((path) => unsaved.has(path));
  if (touched.length > 0) throw new UnsavedText(touched);
}

class UnsavedText extends Failure {
  readonly code = 'tools/unsaved-text';
  readonly remedy =
    'Close the documents with close_document, or write their text to disk, and repeat the edit.';

  constructor(paths: readonly WorkspacePath[]) {
    super(`opened with text that is not on disk: ${paths.join(', ')}`);
  }
}
