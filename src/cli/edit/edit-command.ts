/**
 * `forerun edit`: serves the editor of a directory to the browser of this machine until it is interrupted.
 *
 * Invariant: the address with its secret is printed and nowhere else written but in a file that only this user can read.
 * Everything opened here is disposed in reverse order, however the command ends.
 */
import { join, resolve } from 'node:path';
import { onAbort } from '../../base/deadline.ts';
import type { Log } from '../../base/log.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { type AgentOptions, Editor } from '../../editor/editor.ts';
import { EditorServer } from '../../editor/editor-server.ts';
import { modelFinder } from '../../host/chat/model-finder.ts';
import { Forerun } from '../../host/forerun.ts';
import { packageRoot } from '../../host/package-root.ts';
import { settingsPaths } from '../../host/settings-paths.ts';
import { Workspace } from '../../workspace/workspace.ts';
import { cleanLater } from '../clean/clean-later.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { ScratchDirectory } from '../scratch-directory.ts';
import { askForTrust } from '../trust/trust-question.ts';
import { openBrowser } from './open-browser.ts';

export interface EditCommandOptions {
  readonly directory: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly browser: 'open' | 'leave';
  readonly format: 'text' | 'json';
  /** Whether the workspace may run its own programs, for this process. */
  readonly trust: 'granted' | 'stored';
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

export async function editCommand(
  { signal, closing }: ProcessLifetime,
  options: EditCommandOptions,
): Promise<ExitCode> {
  const { env, log, port, format, browser } = options;
  const { root } = await Workspace.open(resolve(options.directory));
  const trust = options.trust === 'granted' ? [root] : [];
  await using forerun = new Forerun({ definitions: 'detect', log, env, trust, audit: {} });
  const isPerson = format === 'text' && process.stdin.isTTY === true && process.stdout.isTTY === true;
  const isTrusted = forerun.workspaces.user.trust.trustOf(root) === 'trusted';
  if (isPerson && !isTrusted) await askForTrust({ root, env, log }, signal);
  const agent = await agentOptions(root, env, signal);
  await using editor = await Editor.open(forerun, { directory: root, log, agent }, signal);
  await using server = await EditorServer.start(editor, { port, webDirectory: webDirectory(), log }, signal);
  forerun.announce('forerun edit');
  cleanLater(log, signal);
  process.stdout.write(
    format === 'json'
      ? `${JSON.stringify({ url: server.url, root, pid: process.pid })}\n`
      : `Editor of ${root}\n  ${server.url}\nOpen the address in a browser of this machine. Ctrl C ends it.\n`,
  );
  await using scratch = await ScratchDirectory.create('edit');
  if (browser === 'open') await openBrowser({ url: server.url, directory: scratch.path, env }, signal);
  await interrupted(signal);
  closing();
  return exitCodes.good;
}

/** The agent of an editor, by the settings of its user. */
export async function agentOptions(
  root: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<AgentOptions> {
  const { settings, warnings } = await loadSettings(
    { files: settingsPaths(env, root), env, flags: {} },
    signal,
  );
  for (const warning of warnings) process.stderr.write(`forerun: ${warning}\n`);
  return { settings, find: modelFinder(settings, env) };
}

/** The directory of the built page. */
export function webDirectory(): string {
  return join(packageRoot(), 'dist', 'web');
}

/** Resolves when the process is asked to end. */
export function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else onAbort(signal, resolve);
  });
}
