/**
 * The common part of all tools that query a file: find the file, acquire the server of its language, wait until it is
 * ready, open the file.
 *
 * Invariant: the server is always released, and a position is resolved in the text the server was shown.
 */
import { WorkspaceDependents } from '../code/dependents.ts';
import { type Place, shownText } from '../code/query.ts';
import { type ReadinessQuery, readiness } from '../code/readiness.ts';
import type { WorkspaceView } from '../live/workspace-view.ts';
import { readText } from '../overlay/overlay.ts';
import { type LanguageId, languageId, languageOf } from '../servers/language.ts';
import type { Lease } from '../servers/lease.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { filePath, word } from './parameter.ts';
import { type PositionInput, positionInput, readPosition } from './position-input.ts';
import { during } from './tool.ts';
import type { ToolContext } from './tool-context.ts';

/** The parameters of a tool that queries a file. */
export const fileInput = {
  file_path: filePath,
  language_id: word('Language of a file whose name does not show it.').optional(),
};

/** The parameters of a tool that queries a position. */
export const placeInput = { ...fileInput, ...positionInput };

export interface FileInput {
  readonly file_path: string;
  readonly language_id?: string | undefined;
}

/** A query on a server whose readiness is known, with the files that may use a name open. */
export interface ReadyQuery extends ReadinessQuery {
  readonly dependents: WorkspaceDependents;
}

export async function inFile<T>(
  context: ToolContext,
  input: FileInput,
  signal: AbortSignal,
  work: (query: ReadyQuery, path: WorkspacePath, view: WorkspaceView) => Promise<T>,
): Promise<T> {
  const { view, path } = await context.workspaces.locateFile(input.file_path, signal);
  await during(`reading file ${input.file_path}`, () => readText(view.overlay, path));
  const language = routeOf(view, path, input.language_id);
  const show = (lease: Lease): Promise<void> =>
    during(`opening document ${input.file_path}`, () => lease.open([path]));
  return withServer(view, { language, show }, signal, (query) => work(query, path, view));
}

/** Like `inFile`, with the resolved position. */
export function atPlace<T>(
  context: ToolContext,
  input: FileInput & PositionInput,
  signal: AbortSignal,
  work: (query: ReadyQuery, place: Place, view: WorkspaceView) => Promise<T>,
): Promise<T> {
  return inFile(context, input, signal, async (query, path, view) => {
    const text = shownText(query, path) ?? (await readText(view.overlay, path)).text;
    return work(query, { path, position: readPosition(input, text) }, view);
  });
}

/** Leases the server of a language for the duration of the work; `show` opens the documents. */
export async function withServer<T>(
  view: WorkspaceView,
  { language, show }: { readonly language: LanguageId; readonly show: (lease: Lease) => Promise<void> },
  signal: AbortSignal,
  work: (query: ReadyQuery) => Promise<T>,
): Promise<T> {
  await using lease = await view.lease(language, signal);
  // Some servers start indexing only after a file is opened.
  await show(lease);
  const { workspace, live } = view;
  const query = { lease, workspace, dependents: new WorkspaceDependents(view, language) };
  const state = await readiness(query, { timeoutMs: live.servers.readyTimeoutMs }, signal);
  return await work({ ...query, readiness: state });
}

/** The language follows from the file name, or from the caller if the name does not show it. */
export function routeOf({ live }: WorkspaceView, path: WorkspacePath, named: string | undefined): LanguageId {
  return named !== undefined && languageOf(path) === undefined ? languageId(named) : live.languageFor(path);
}
