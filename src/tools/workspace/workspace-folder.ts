/** What the three tools about workspace folders have in common. */
import type { WorkspaceView } from '../../live/workspace-view.ts';
import { jsonResult, type ToolResult } from '../tool-result.ts';

/** The folders as they are now; servers that hear of changes only when they start are named. */
export function foldersResult(
  { live }: WorkspaceView,
  done: Readonly<Record<string, string>> = {},
): ToolResult {
  const servers = live.servers.pools.flatMap(({ replicas }) => replicas.map(({ server }) => server));
  const deaf = servers.filter(({ capabilities }) => !capabilities.takesFolderChanges).map(({ id }) => id);
  const isChange = Object.keys(done).length > 0;
  return jsonResult(
    { ...done, workspace_folders: live.folders.all },
    isChange && deaf.length > 0 ? { meta: { restart_needed: [...new Set(deaf)] } } : {},
  );
}
