/**
 * A compiler's own word on an overlay: run where the overlay is mounted as real files, for languages whose
 * server knows less than their compiler.
 *
 * Invariant: an answer is given only when the run came to its end; its problems are those of the files that
 * were mounted, and a file it does not mention has none.
 */
import type { Diagnostic } from '../lsp/diagnostic.ts';
import { CommandNotFound } from '../process/process-failure.ts';
import { runCommand } from '../process/run-command.ts';
import type { MountedWorkspace } from '../sandbox/mounted-workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { readCargoMessages } from './cargo-messages.ts';
import type { FileDiagnostics } from './proof.ts';
import type { FullCheck } from './server-definition.ts';

/** A workspace with thousands of warnings prints this much; more is not read. */
const maxOutputBytes = 64 * 2 ** 20;

/** What the compiler says of `paths`; undefined where there is no such compiler. */
export async function runFullCheck(
  check: FullCheck,
  mount: MountedWorkspace,
  paths: readonly WorkspacePath[],
  options: { readonly timeoutMs: number },
  signal: AbortSignal,
): Promise<readonly FileDiagnostics[] | undefined> {
  const command = mount.wrapCommand(check.command);
  const place = { cwd: mount.root, env: process.env };
  try {
    const run = await runCommand({ command, ...place, ...options, maxOutputBytes }, signal);
    // A compiler that finds errors fails too, but only after it has told them.
    const problems = run.timedOut ? undefined : readers[check.output](run.stdout, mount.root);
    if (problems === undefined || (problems.size === 0 && run.code !== 0)) {
      return paths.map((path) => ({ path, diagnostics: [], proof: { kind: 'none', reason: 'timeout' } }));
    }
    return paths.map((path) => ({ path, diagnostics: problems.get(path) ?? [], proof: { kind: 'checked' } }));
  } catch (thrown) {
    if (thrown instanceof CommandNotFound) return undefined;
    throw thrown;
  }
}

type Reader = (output: string, root: string) => ReadonlyMap<string, readonly Diagnostic[]>;

const readers: Readonly<Record<FullCheck['output'], Reader>> = { 'cargo-json': readCargoMessages };
