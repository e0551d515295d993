/**
 * A session that exists only during one call.
 *
 * Invariant: the session is removed afterwards, whatever the work throws.
 */
import { judgingLanguage } from '../../live/data-reader.ts';
import type { LiveWorkspace } from '../../live/live-workspace.ts';
import { type LanguageId, languageId } from '../../servers/language.ts';
import type { Session } from '../../session/session.ts';
import { during } from '../failure.ts';
import { locateFile } from '../file-location.ts';
import type { ToolContext } from '../tool-context.ts';

export interface SessionRequest {
  readonly workspaceRoot?: string | undefined;
  readonly language?: string | undefined;
  /** Determines workspace and language if the caller gives none. */
  readonly filePath: string;
  /** The prefix of a failure to create the session. */
  readonly step?: string;
}

export async function inTemporarySession<T>(
  context: ToolContext,
  request: SessionRequest & { readonly work: (session: Session) => Promise<T> },
  signal: AbortSignal,
): Promise<T> {
  const session = await during(request.step ?? 'create_session failed', async () => {
    const location = await locateEdit(context, request, signal);
    return context.sessions.create({ ...location, lifetime: 'one-call' }, signal);
  });
  try {
    return await request.work(session);
  } finally {
    await context.sessions.destroy(session.id);
  }
}

export interface EditLocation {
  readonly live: LiveWorkspace;
  readonly language: LanguageId;
}

/** The workspace and language of an edit, from the arguments of the call. */
export async function locateEdit(
  context: ToolContext,
  { workspaceRoot, language, filePath }: Omit<SessionRequest, 'step'>,
  signal: AbortSignal,
): Promise<EditLocation> {
  const named = language === undefined ? undefined : languageId(language);
  if (workspaceRoot !== undefined) {
    const { workspace, live } = await context.workspaces.use(workspaceRoot, signal);
    return { live, language: named ?? judgingLanguage(live, await workspace.resolve(filePath)) };
  }
  const { view, path } = await locateFile(context, filePath, signal);
  return { live: view.live, language: named ?? judgingLanguage(view.live, path) };
}
