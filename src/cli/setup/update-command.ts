/**
 * `forerun update`: checks for a newer version.
 *
 * Invariant: it installs nothing; the user updates with npm.
 */
import { Failure } from '../../base/failure.ts';
import { version } from '../../host/version.ts';
import { runCommand } from '../../process/run-command.ts';
import { environmentOutside } from '../../workspace/outside-environment.ts';
import { extentOf } from '../../workspace/supplied-path.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { ScratchDirectory } from '../scratch-directory.ts';

class NoRegistry extends Failure {
  readonly code = 'cli/no-registry';
  readonly remedy = 'Check the network connection with npm ping, and try again.';

  constructor(reason: string, options?: ErrorOptions) {
    super(`the npm registry did not answer with the latest version: ${reason}`, options);
  }
}

const patienceMs = 20_000;

export async function updateCommand({ signal }: ProcessLifetime): Promise<ExitCode> {
  const newest = await newestVersion(signal);
  process.stdout.write(`installed ${version}\nnewest    ${newest}\n`);
  if (!isNewer(newest, version)) {
    process.stdout.write('This is the latest version.\n');
    return exitCodes.good;
  }
  process.stdout.write(`To install it: npm install -g forerun@${newest}\n`);
  return exitCodes.bad;
}

async function newestVersion(signal: AbortSignal): Promise<string> {
  const command = [process.platform === 'win32' ? 'npm.cmd' : 'npm', 'view', 'forerun', 'version'];
  const limits = { timeoutMs: patienceMs, maxOutputBytes: 64 * 1024 };
  // Run here and not in the current directory: npm reads settings, including registries, from a project's .npmrc.
  await using scratch = await ScratchDirectory.create('update');
  const here = process.cwd();
  const env = environmentOutside(process.env, extentOf(here, process.env));
  const run = await runCommand({ command, cwd: scratch.path, env, ...limits }, signal).catch(
    (cause: unknown) => {
      if (signal.aborted) throw cause;
      throw new NoRegistry('npm is not installed', { cause });
    },
  );
  if (run.timedOut) throw new NoRegistry(`no answer within ${patienceMs / 1000} s`);
  const answer = run.stdout.trim();
  if (run.code === 0 && /^\d+\.\d+\.\d+/.test(answer)) return answer;
  const [, reason = `npm exited with ${run.code}`] = /npm (?:error|ERR!) (?!code)(.+)/.exec(run.stderr) ?? [];
  throw new NoRegistry(reason);
}

/** Compares the three numbers; a pre-release is older than its release. */
export function isNewer(candidate: string, current: string): boolean {
  const [a, b] = [candidate, current].map((text) => text.split(/[-+]/)[0]?.split('.').map(Number) ?? []);
  for (const place of [0, 1, 2]) {
    const difference = (a?.[place] ?? 0) - (b?.[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return current.includes('-') && !candidate.includes('-');
}
