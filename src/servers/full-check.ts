/**
 * A compiler's own word on an overlay: run where the overlay is mounted as real files, for languages whose
 * server knows less than their compiler.
 *
 * Invariant: a file counts as checked only when the run came to its end; its problems are those of the files that
 * were mounted, and a file it does not mention has none. The compiler runs as confined as the server beside it.
 */
import { CommandNotFound } from '../process/process-failure.ts';
import { runCommand } from '../process/run-command.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { type CargoReport, type CargoRun, readCargoRun } from './cargo-messages.ts';
import type { FileDiagnostics, Proof } from './proof.ts';
import type { FullCheck } from './server-definition.ts';
import { checkEnvironment } from './server-environment.ts';
import type { ShownSite } from './server-site.ts';

/** A workspace with thousands of warnings prints this much; more is not read. */
const maxOutputBytes = 64 * 2 ** 20;

/** What a shell ends with where there is no such program. */
const notFoundCode = 127;

/** What the compiler says of `paths`; undefined where there is no such compiler. */
export async function runFullCheck(
  check: FullCheck,
  site: ShownSite,
  paths: readonly WorkspacePath[],
  options: { readonly timeoutMs: number },
  signal: AbortSignal,
): Promise<readonly FileDiagnostics[] | undefined> {
  const { root } = site.mount;
  const env = checkEnvironment(check, { root, trust: site.trust });
  try {
    const launch = await site.launch({ command: check.command, env });
    const run = await runCommand({ ...launch, ...options, maxOutputBytes }, signal);
    if (run.code === notFoundCode && run.stdout === '') return undefined;
    const { problems, failure } = readers[check.output](run, root);
    const proof = run.timedOut ? late : failure === undefined ? checked : failed(failure);
    return paths.map((path) => ({ path, diagnostics: problems.get(path) ?? [], proof }));
  } catch (thrown) {
    if (thrown instanceof CommandNotFound) return undefined;
    throw thrown;
  }
}

const checked: Proof = { kind: 'checked' };
const late: Proof = { kind: 'none', reason: 'timeout' };

function failed(why: string): Proof {
  return { kind: 'none', reason: 'failed', why };
}

type Reader = (run: CargoRun, root: string) => CargoReport;

const readers: Readonly<Record<FullCheck['output'], Reader>> = { 'cargo-json': readCargoRun };
