/** Commits the edits of a session, or returns them as a patch. */
import { z } from 'zod';
import type { CommitOptions } from '../../session/commit-result.ts';
import type { Session } from '../../session/session.ts';
import { pathsOf } from '../editing/landed-edit.ts';
import { flag, sessionId, text } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';
import { commitRecorded } from './landed-session.ts';

export const commitSession: Tool = defineTool({
  name: 'commit_session',
  title: 'Commit Session',
  effect: 'disk',
  // A commit refuses to overwrite changed files, so nothing is lost unless the caller sets force.
  destructive: false,
  description:
    'Finish a session: return its edits as a patch (default), write them to disk (apply), or write the resulting files under a directory (target). All files or none; a file that changed on disk since is a conflict.',
  input: z.object({
    session_id: sessionId,
    apply: flag('Write to disk. Default false: only return the patch.').optional(),
    target: text(
      'disk, patch, or a directory inside the workspace to write the resulting files under.',
    ).optional(),
    patch_format: z
      .enum(['workspace_edit', 'contents', 'unified'])
      .describe('Format of the patch; default workspace_edit.')
      .optional(),
    force: flag('Overwrite files that changed on disk since the session began.').optional(),
  }),
  effectOf: (input) => (writesOf(input) === 'nothing' ? 'overlay' : 'disk'),
  async handle(context, input, signal) {
    const result = await during('commit_session failed', async () => {
      const session = await context.sessions.reach(input.session_id, signal);
      const destination = await destinationOf(session, input);
      const options = { destination, patchFormat: input.patch_format ?? 'workspace_edit' } as const;
      const paths = await pathsOf(session.overlay);
      const committed = await commitRecorded(context, session, options, signal);
      const { workspace, history } = session;
      const whatIf = { kind: 'committed', workspace, title: history.details.title, paths } as const;
      return { ...committed, ...(destination.kind === 'disk' && { whatIf }) };
    });
    const { filesWritten, patch, warnings, landed, whatIf } = result;
    return jsonResult(
      {
        session_id: input.session_id,
        ...(filesWritten > 0 && { files_written: filesWritten }),
        patch,
        ...(warnings.length > 0 && { warnings }),
      },
      { ...(landed && { landed }), ...(whatIf && { whatIf }) },
    );
  },
});

interface CommitInput {
  readonly apply?: boolean | undefined;
  readonly target?: string | undefined;
  readonly force?: boolean | undefined;
}

async function destinationOf(session: Session, input: CommitInput): Promise<CommitOptions['destination']> {
  const onConflict = input.force ? 'overwrite' : 'refuse';
  switch (writesOf(input)) {
    case 'directory': {
      const directory = await session.workspace.resolve(targetOf(input));
      return { kind: 'directory', path: session.workspace.absolute(directory), onConflict };
    }
    case 'workspace':
      return { kind: 'disk', onConflict };
    case 'nothing':
      return { kind: 'patch' };
  }
}

/** What the call writes; `target` takes precedence over `apply`. */
function writesOf(input: CommitInput): 'nothing' | 'workspace' | 'directory' {
  switch (targetOf(input)) {
    case '':
      return input.apply ? 'workspace' : 'nothing';
    case 'disk':
      return 'workspace';
    case 'patch':
      return 'nothing';
    default:
      return 'directory';
  }
}

function targetOf(input: CommitInput): string {
  return input.target?.trim() ?? '';
}
