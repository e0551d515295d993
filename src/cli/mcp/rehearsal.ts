/**
 * Goes once, while the client is still thinking, through what it is likely to ask first.
 *
 * Code is compiled when it first runs, and a server looks at a file when it is first asked about one: whoever comes
 * first waits for all of that.
 *
 * Invariant: nothing is started, written, recorded or kept. Only servers that run already are asked, through a
 * connection that nobody else sees and that ends with it.
 */
import { silentLog } from '../../base/log.ts';
import type { AttachedServer } from '../../live/workspace-registry.ts';
import { ConnectionLogSink } from '../../mcp/log-sink.ts';
import { callAsClient } from '../../mcp/own-client.ts';
import { serves } from '../../servers/server-routing.ts';
import { previewEdit } from '../../tools/session/preview-edit.ts';
import { listFiles } from '../../workspace/file-walk.ts';
import { connect } from '../connection.ts';
import type { House } from '../house.ts';
import { version } from '../version.ts';

export async function rehearse(
  house: House,
  { workspace, located }: AttachedServer,
  signal: AbortSignal,
): Promise<void> {
  const matches = (name: string): boolean => serves(located.definition, name);
  const [path] = await listFiles(workspace, { matches, enough: 1 }, signal);
  if (path === undefined) return;
  const log = silentLog;
  const skills = async () => [];
  await using served = connect(house, { log, skills, toolset: 'full', sessions: 'memory' });
  const { audit: _, ...context } = served.context;
  const release = (): void => {};
  const load = async () => ({ ...served, context });
  const logSink = new ConnectionLogSink('emergency', () => {});
  // The first time what is run is compiled, the second time it is known what it is run with.
  const calls = ['\n', '\n\n'].map((new_text) => ({
    name: previewEdit.name,
    arguments: { file_path: workspace.absolute(path), ...atStart, new_text },
  }));
  await callAsClient({ version, log, logSink, skills, load, release }, calls, signal);
}

const atStart = { start_line: 1, start_column: 1, end_line: 1, end_column: 1 };
