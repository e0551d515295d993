/**
 * Runs the commands of a live agent on the workspace itself.
 *
 * Invariant: both streams of a command come in the order they were written; when it settles nothing of it runs any more.
 */
import { existsSync } from 'node:fs';
import type { CommandRequest, CommandRun, CommandRunner } from '../../agent/command-runner.ts';
import { runCommand } from '../../process/run-command.ts';

export class WorkspaceShell implements CommandRunner {
  readonly #env: () => NodeJS.ProcessEnv;

  /** The environment is asked for before every command: trust in the workspace may change meanwhile. */
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

/** Whatever would wait for a person at a screen has none here. */
const unattended = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
};

/** Models write for bash; where it is missing the system's shell does what it can. */
function shellHere(): string {
  return existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
}
