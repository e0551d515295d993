/**
 * What every tool that reads about a file does around its question: find the file, borrow the server of its
 * language, wait until that has read the workspace, show it the file.
 *
 * Invariant: the server is handed back whatever happens, and a position is read from the text it was shown.
 */
import { WorkspaceDependents } from '../code/dependents.ts';
import { type Place, shownText } from '../code/query.ts';
import { type ReadinessQuery, readiness } from '../code/readiness.ts';
import type { WorkspaceView } from '../live/workspace-view.ts';
import { type LanguageId, languageId, languageOf } from '../servers/language.ts';
import type { Lease } from '../servers/lease.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { during } from './failure.ts';
import { locateFile } from './file-location.ts';
import { filePath, word } from './parameter.ts';
import { type PositionInput, positionInput, readPosition } from './position-input.ts';
import type { ToolContext } from './tool-context.ts';

/** The parameters of a tool that reads about a file. */
export const fileInput = {
  file_path: filePath,
  language_id: word('Language of a file whose name does not tell it.').optional(),
};

/** The parameters of a tool that reads about a place in a file. */
export const placeInput = { ...fileInput, ...positionInput };

export interface FileInput {
  readonly file_path: string;
  readonly language_id?: string | undefined;
}

/** A question to a server that is ready, or known not to be, and that is shown what may use a name. */
export interface ReadyQuery extends ReadinessQuery {
  readonly dependents: WorkspaceDependents;
}

export async function inFile<T>(
  context: ToolContext,
  input: FileInput,
  signal: AbortSignal,
  work: (query: ReadyQuery, path: WorkspacePath, view: WorkspaceView) => Promise<T>,
): Promise<T> {
  const { view, path } = await locateFile(context, input.file_path, signal);
  await during(`reading file ${input.file_path}`, () => view.overlay.readText(path));
  const language = routeOf(view, path, input.language_id);
  const show = (lease: Lease): Promise<void> =>
    during(`opening document ${input.file_path}`, () => lease.open([path]));
  return withServer(view, { language, show }, signal, (query) => work(query, path, view));
}

/** As `inFile`, with the place the caller means. */
export function atPlace<T>(
  context: ToolContext,
  input: FileInput & PositionInput,
  signal: AbortSignal,
  work: (query: ReadyQuery, place: Place, view: WorkspaceView) => Promise<T>,
): Promise<T> {
  return inFile(context, input, signal, async (query, path, view) => {
    const text = shownText(query, path) ?? (await view.overlay.readText(path)).text;
    return work(query, { path, position: readPosition(input, text) }, view);
  });
}

/** Borrows the server of a language for as long as the work takes; `show` opens what the work is about. */
export async function withServer<T>(
  view: WorkspaceView,
  { language, show }: { readonly language: LanguageId; readonly show: (lease: Lease) => Promise<void> },
  signal: AbortSignal,
  work: (query: ReadyQuery) => Promise<T>,
): Promise<T> {
  await using lease = await view.lease(language, signal);
  // Some servers begin to read the workspace only when they are shown a file of it.
  await show(lease);
  const { workspace, live } = view;
  const query = { lease, workspace, dependents: new WorkspaceDependents(view, language) };
  const state = await readiness(query, { timeoutMs: live.servers.readyTimeoutMs }, signal);
  return await work({ ...query, readiness: state });
}

/** A file's name tells its language; where it does not, the caller may. */
export function routeOf({ live }: WorkspaceView, path: WorkspacePath, named: string | undefined): LanguageId {
  return named !== undefined && languageOf(path) === undefined ? languageId(named) : live.languageFor(path);
}
