/** Commits a session to disk and counts its diagnostics for the audit record. */
import type { CommitOptions, CommitResult } from '../../session/commit-result.ts';
import type { Session } from '../../session/session.ts';
import { pathsOf, recordEdit } from '../editing/landed-edit.ts';
import type { ToolContext } from '../tool-context.ts';
import type { ToolResult } from '../tool-result.ts';

export async function commitRecorded(
  context: ToolContext,
  session: Session,
  options: CommitOptions,
  signal: AbortSignal,
): Promise<CommitResult & Pick<ToolResult, 'landed'>> {
  const land = () => session.commit(options, signal);
  const view = context.workspaces.all.find(({ workspace }) => workspace.root === session.workspace.root);
  // A patch writes nothing, and files under another directory belong to no project.
  if (!view || options.destination.kind !== 'disk') return land();
  const paths = await pathsOf(session.overlay);
  const { outcome, landed } = await recordEdit(context, { view, paths, land }, signal);
  return { ...outcome, landed };
}
