/**
 * A session for the length of one call.
 *
 * Invariant: whatever the work throws, the session is gone afterwards.
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
  /** Names the workspace and the language where the caller did not. */
  readonly filePath: string;
  /** What a failure to open the session is told as. */
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

/** The workspace an edit is made in and the language whose server judges it, from what the caller named. */
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
