/**
 * Runs the commands of a live agent on the workspace itself.
 *
 * Invariant: the output of both streams is in the order it was written; when the promise settles, no process of the
 * command is running.
 */
import { existsSync } from 'node:fs';
import type { CommandRequest, CommandRun, CommandRunner } from '../../agent/command-runner.ts';
import { runCommand } from '../../process/run-command.ts';

export class WorkspaceShell implements CommandRunner {
  readonly #env: () => NodeJS.ProcessEnv;

  /** The environment is computed before every command: trust in the workspace may change meanwhile. */
  constructor(env: () => NodeJS.ProcessEnv) {
    this.#env = env;
  }

  async run(request: CommandRequest, signal: AbortSignal): Promise<CommandRun> {
    const { root, command, timeoutMs, maxOutputBytes } = request;
    const startedAt = performance.now();
    const result = await runCommand(
      {
        command: ['/bin/sh', '-c', 'exec 2>&1; exec "$0" -c "$1"', shellHere(), command],
        cwd: root.workspace.root,
        env: { ...this.#env(), ...unattended },
        timeoutMs,
        maxOutputBytes,
      },
      signal,
    );
    return { kind: 'finished', ...result, diskFull: false, durationMs: performance.now() - startedAt };
  }
}

/** Disables pagers, editors and prompts, since no user can answer them. */
const unattended = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
};

/** Models write for bash; if it is missing the system's shell is used. */
function shellHere(): string {
  return existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
}
