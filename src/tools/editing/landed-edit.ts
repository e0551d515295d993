/**
 * Commits edits and counts the diagnostics of the changed files.
 *
 * Invariant: an edit is committed completely or not at all. After the commit, a failure to count diagnostics never
 * makes the edit look failed.
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
  /** The error and warning counts of an edit, for the hint and the metadata of an answer. */
  readonly extras: Pick<ToolResult, 'hint' | 'warnings' | 'meta' | 'landed'>;
}

/** Commits the overlay and counts the diagnostics of the changed files. */
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

/** Commits an edit whose answer reports the diagnostics of its files. */
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

/** Commits an overlay; the answer does not report diagnostics. */
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
  /** Side effects of the commit, such as separated hard links. */
  readonly warnings: readonly string[];
}

/** Commits the overlay. If a file has changed in the meantime, this fails and nothing is written. */
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

/** The warnings of a commit as part of an answer. */
export function warned(warnings: readonly string[]): Pick<ToolResult, 'warnings'> {
  return warnings.length > 0 ? { warnings: warnings.map((warning) => `Warning: ${warning}`) } : {};
}

const countingMs = 25_000;

/** Shorter, because the edit waits for it and only the audit record needs it. */
const countingBeforeMs = 10_000;

export interface RecordedEdit<T> {
  readonly outcome: T;
  readonly landed: LandedEdit;
}

/**
 * Commits an edit. If calls are recorded, it counts the diagnostics of the files before and after. An unknown count
 * is omitted from the record and never prevents the commit.
 */
export async function recordEdit<T>(
  context: ToolContext,
  edit: {
    readonly view: WorkspaceView;
    readonly paths: readonly WorkspacePath[];
    readonly land: () => Promise<T>;
    /** Counts afterwards if the answer reports the count too; absent: counted for the record only. */
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

/** Every path that an overlay writes, removes or renames. */
export async function pathsOf(overlay: Overlay): Promise<readonly WorkspacePath[]> {
  const changes = await overlay.changes();
  return [...new Set(changes.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path])))];
}

/**
 * `errors_after: N, warnings_after: M.` for the current files; counts that did not settle are reported as unknown.
 */
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
    hint: `${counters('unknown', 'unknown')}. The edit is on disk, but ${why}; call get_diagnostics to count again.`,
    ...(count && { meta: { diagnostics: count.details } }),
  };
}

function counters(errors: number | 'unknown', warnings: number | 'unknown'): string {
  return `errors_after: ${errors}, warnings_after: ${warnings}`;
}

/** The server answered for unsaved text, so its answer does not apply to the file on disk. */
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
  readonly remedy = 'Close the documents with close_document, or save their text, and repeat the edit.';

  constructor(paths: readonly WorkspacePath[]) {
    super(`opened with unsaved text: ${paths.join(', ')}`);
  }
}
