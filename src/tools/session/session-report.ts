/** A session as an observer sees it: its edits as a diff, and the last verdict. */
import { renderCommit } from '../../session/commit-result.ts';
import type { Session } from '../../session/session.ts';
import { isLive } from '../../session/session-state.ts';
import { sessionEvaluationPayload } from '../evaluation-payload.ts';

export async function sessionReport(session: Session): Promise<Readonly<Record<string, unknown>>> {
  const { id, workspace, language, state, history } = session;
  return {
    session_id: id,
    workspace_root: workspace.root,
    language,
    status: state.kind,
    edits: history.edits.length,
    diff: isLive(state) ? await renderCommit(workspace, state.overlay, 'unified') : '',
    ...(state.kind === 'evaluated' && { evaluation: sessionEvaluationPayload(session, state.evaluation) }),
  };
}
