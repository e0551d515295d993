/**
 * `forerun edit --sample`, which `npm start` runs: one real verdict, then the editor on a copy of the sample workspace with
 * MCP over HTTP beside it, until it is interrupted.
 *
 * Invariants: nothing of the user is opened or written; both servers are of loopback and ask for a secret of this start.
 * The editor and the MCP clients share the language servers of this process.
 */
import { randomBytes } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { Log } from '../../base/log.ts';
import { Editor } from '../../editor/editor.ts';
import { EditorServer } from '../../editor/editor-server.ts';
import { Connection } from '../../host/connection.ts';
import { Forerun } from '../../host/forerun.ts';
import { Lazy } from '../../host/lazy.ts';
import { packageRoot } from '../../host/package-root.ts';
import { version } from '../../host/version.ts';
import { BearerToken } from '../../http/bearer-token.ts';
import { ConnectionLogSink } from '../../mcp/log-sink.ts';
import type { McpServerOptions } from '../../mcp/mcp-server-options.ts';
import { serveOverHttp } from '../../mcp/serve-http.ts';
import { showScene } from '../demo/demo-command.ts';
import { scenes } from '../demo/scene.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { paletteFor } from '../print/palette.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { ScratchDirectory } from '../scratch-directory.ts';
import { agentOptions, webDirectory } from './edit-command.ts';

export interface SampleCommandOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

export async function sampleCommand(
  { signal, closing }: ProcessLifetime,
  { port, env, log }: SampleCommandOptions,
): Promise<ExitCode> {
  await using scratch = await ScratchDirectory.create('sample');
  await cp(join(packageRoot(), 'sample'), scratch.path, { recursive: true });
  const root = join(scratch.path, 'typescript');
  await using forerun = new Forerun({ definitions: 'detect', log, env, daemon: 'off' });
  await showVerdict(forerun, root, signal);
  const agent = await agentOptions(root, env, signal);
  await using editor = await Editor.open(forerun, { directory: root, log, agent }, signal);
  await using server = await EditorServer.start(editor, { port, webDirectory: webDirectory(), log }, signal);
  const token = randomBytes(24).toString('base64url');
  const onListening = (url: string): void => {
    process.stdout.write(addresses({ root, editor: server.url, mcp: url, token }));
  };
  const connect = () => mcpConnection(forerun, log);
  const served = { address: '127.0.0.1', port: 0, allowedHosts: [], token: new BearerToken(token), connect };
  // Serves until the process is interrupted.
  await serveOverHttp({ ...served, onListening, log }, signal);
  closing();
  return exitCodes.good;
}

async function showVerdict(forerun: Forerun, root: string, signal: AbortSignal): Promise<void> {
  const scene = scenes.find(({ title }) => title.startsWith('An edit that breaks another file'));
  if (!scene) return;
  const palette = paletteFor('auto', process.stdout, process.env);
  const shown = await showScene(forerun, { scene, root }, palette, signal);
  process.stdout.write(
    `${scene.title}\n${shown}\nNothing of it was written. So it is judged before it happens.\n`,
  );
}

/** What one MCP client is served, on the language servers of the editor. */
function mcpConnection(forerun: Forerun, log: Log): McpServerOptions {
  const logSink = new ConnectionLogSink('error', (line) => process.stderr.write(`${line}\n`));
  const { skills } = forerun;
  const own = new Log(logSink.write);
  const connection = new Lazy(
    async () => new Connection(forerun, { log: own, skills, sessions: 'kept', toolset: 'full' }),
  );
  return { version, log, logSink, connection, skills };
}

function addresses({
  root,
  editor,
  mcp,
  token,
}: {
  readonly root: string;
  readonly editor: string;
  readonly mcp: string;
  readonly token: string;
}): string {
  return `
Editor of the sample:  ${editor}
MCP over HTTP:         ${mcp}  (Authorization: Bearer ${token})

Three things to try:
  1. In cart.ts, let total return a string. The status bar says which other file breaks, before you save.
  2. Rename total with F2. The preview lists every file before one is changed.
  3. Change cart.ts in ${root} while it has unsaved text here, and save. Both sides are shown.

The same without a browser:  forerun demo
Ctrl C ends it.
`;
}
