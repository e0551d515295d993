/**
 * Sends a question about a workspace to all its servers.
 *
 * Invariant: a failing server does not affect the others, and is named in the answer.
 */

import { messageOf } from '../base/failure.ts';
import { projectFiles } from '../code/served-file.ts';
import { NoWorkspace } from '../live/connection-workspaces.ts';
import type { WorkspaceView } from '../live/workspace-view.ts';
import { type LanguageId, languageId } from '../servers/language.ts';
import { detectWorkspace } from '../servers/server-detection.ts';
import { asFailure, InvalidArgument } from './failure.ts';
import { type ReadyQuery, withServer } from './read-file-tool.ts';
import type { ToolContext } from './tool-context.ts';
import { searchPlaces } from './trusted-workspace.ts';

/** Selects servers; absent members select all. */
export interface ServerFilter {
  readonly root?: string | undefined;
  readonly language?: string | undefined;
}

export interface Everywhere<T> {
  readonly answers: readonly T[];
  /** Servers that could not answer, each with its message. */
  readonly failures: readonly string[];
}

export async function onEveryServer<T>(
  context: ToolContext,
  filter: ServerFilter,
  signal: AbortSignal,
  work: (query: ReadyQuery, view: WorkspaceView) => Promise<T>,
): Promise<Everywhere<T>> {
  const chosen = await chooseServers(context, filter, signal);
  const outcomes = await Promise.allSettled(
    chosen.map(({ view, language }) => askOne(view, language, signal, work)),
  );
  const answers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  const [first] = failed;
  if (answers.length === 0 && first !== undefined) throw asFailure(first);
  return { answers, failures: failed.map(messageOf) };
}

async function askOne<T>(
  view: WorkspaceView,
  language: LanguageId,
  signal: AbortSignal,
  work: (query: ReadyQuery, view: WorkspaceView) => Promise<T>,
): Promise<T> {
  const { definition } = await view.live.servers.locate(language, signal);
  // A server that has indexed everything by itself does not need an open file.
  const anchors = definition.quirks.findsUsesEverywhere
    ? []
    : await projectFiles(view.workspace, definition, signal);
  return withServer(view, { language, show: (lease) => lease.read(anchors, signal) }, signal, (query) =>
    work(query, view),
  );
}

interface Choice {
  readonly view: WorkspaceView;
  readonly language: LanguageId;
}

export async function chooseServers(
  context: ToolContext,
  filter: ServerFilter,
  signal: AbortSignal,
): Promise<readonly Choice[]> {
  const opened = await chooseWorkspaces(context, filter.root, signal);
  if (filter.language !== undefined) {
    const language = languageId(filter.language);
    return opened.map((view) => ({ view, language }));
  }
  const running = opened.flatMap((view) => runningIn(view).map((language) => ({ view, language })));
  if (running.length > 0) return running;
  const [only] = opened;
  if (!only) throw new NoWorkspace();
  const languages = await languagesOf(context, only, signal);
  if (languages.length === 0) {
    throw new InvalidArgument(
      'no language server is installed for this workspace',
      'Call detect_lsp_servers to see which servers are missing.',
    );
  }
  return languages.map((language) => ({ view: only, language }));
}

async function chooseWorkspaces(
  { workspaces }: ToolContext,
  root: string | undefined,
  signal: AbortSignal,
): Promise<readonly WorkspaceView[]> {
  const { active, all } = workspaces;
  if (root !== undefined) {
    const known = all.find(({ workspace }) => workspace.root === root);
    return [known ?? (await workspaces.use(root, signal))];
  }
  return active ? [active, ...all.filter((view) => view !== active)] : all;
}

/** One language for each kind of server that has run here. */
function runningIn({ live }: WorkspaceView): readonly LanguageId[] {
  const byServer = new Map<string, LanguageId>();
  for (const { definition } of live.servers.pools.flatMap(({ served }) => served ?? [])) {
    const [language] = definition.languages;
    if (language !== undefined) byServer.set(definition.name, language);
  }
  return [...byServer.values()];
}

/** The languages to start servers for if none is running: those the user configured, or those of the files. */
async function languagesOf(
  context: ToolContext,
  view: WorkspaceView,
  signal: AbortSignal,
): Promise<readonly LanguageId[]> {
  const named = context.workspaces.register.languages;
  const detected =
    named.length > 0
      ? named
      : (await detectWorkspace(searchPlaces(context, view), signal)).installed_servers.map(({ language }) =>
          languageId(language),
        );
  const byServer = new Map<string, LanguageId>();
  for (const language of detected) {
    const { definition } = await view.live.servers.locate(language, signal);
    if (!byServer.has(definition.name)) byServer.set(definition.name, language);
  }
  return [...byServer.values()];
}
