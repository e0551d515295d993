/** The common part of the three tools about workspace folders. */
import type { WorkspaceView } from '../../live/workspace-view.ts';
import { jsonResult, type ToolResult } from '../tool-result.ts';

/** The current folders, with the servers that apply the change only after a restart. */
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
