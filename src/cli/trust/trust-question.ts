/**
 * Asks whether a workspace is trusted, when a person opens it first.
 *
 * Invariant: only `y` or `yes` followed by Enter trusts. With any other line, the workspace stays untrusted for this
 * process.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { trustStore } from '../../host/user-trust.ts';
import { inferProject } from '../../live/workspace-root.ts';
import { failureText } from '../exit-code.ts';
import { Questions } from '../setup/question.ts';

export interface TrustQuestion {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

export async function askForTrust({ root, env, log }: TrustQuestion, signal: AbortSignal): Promise<void> {
  if (!(await gainsFromTrust(root, env, signal))) return;
  process.stdout.write(explanation(root));
  using questions = new Questions(signal);
  if (!(await questions.confirm('Do you trust it?', 'no'))) {
    process.stdout.write('Not trusted. To trust it later: forerun trust\n\n');
    return;
  }
  try {
    trustStore({ env, log }).trust(root);
    process.stdout.write('Trusted. To revoke this: forerun trust --revoke\n\n');
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    process.stdout.write(failureText(thrown));
  }
}

/** Directories in which a workspace supplies programs. */
const programDirectories = ['node_modules', '.venv', 'venv'];

/** Whether there is anything to run: programs of the workspace, or a project that can be built and tested. */
async function gainsFromTrust(root: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<boolean> {
  if (programDirectories.some((name) => existsSync(join(root, name)))) return true;
  const inferred = await inferProject(root, env, signal);
  return inferred?.root === root && inferred.language !== undefined;
}

function explanation(root: string): string {
  return `${root} is not trusted yet.
If you trust it, its own programs may run: builds, tests, and programs in node_modules or a virtual environment.
Otherwise Forerun uses its own language servers and those installed on this machine.
`;
}
