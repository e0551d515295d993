/**
 * What a tree or the index has at some paths, and what the repository configures for them.
 *
 * Paths are counted from the top of the repository and taken literally, whatever characters they hold.
 */
import { isAbsolute, join } from 'node:path';
import { GitFailed, type GitRepository } from './git-repository.ts';

export interface GitEntry {
  /** `100644`, `100755`, `120000` or `160000`. */
  readonly mode: string;
  readonly blob: string;
}

type Entries = ReadonlyMap<string, GitEntry>;

/** The files of a tree at these paths. */
export async function entriesAt(
  repository: GitRepository,
  { tree, paths }: { readonly tree: string; readonly paths: readonly string[] },
  signal: AbortSignal,
): Promise<Entries> {
  return listed(repository, ['ls-tree', '-z', '--full-tree', tree], paths, signal);
}

/** The files of the index at these paths; those with an unresolved conflict are not among them. */
export async function entriesInIndex(
  repository: GitRepository,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Entries> {
  return listed(repository, ['ls-files', '--stage', '-z', '--full-name'], paths, signal);
}

/** As many as fit on a command line everywhere. */
const pathsPerCommand = 200;

async function listed(
  repository: GitRepository,
  words: readonly [string, ...string[]],
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Entries> {
  const entries = new Map<string, GitEntry>();
  for (let at = 0; at < paths.length; at += pathsPerCommand) {
    const some = paths.slice(at, at + pathsPerCommand);
    const output = await answered(repository, [...words, '--', ...some], '', signal);
    for (const line of output.split('\0')) {
      // `<mode> blob <id>\t<path>` of a tree, `<mode> <id> 0\t<path>` of the index.
      const [, mode, blob, path] = /^(\d{6}) (?:blob |commit )?([0-9a-f]+)(?: 0)?\t(.*)$/s.exec(line) ?? [];
      if (mode !== undefined && blob !== undefined && path !== undefined) entries.set(path, { mode, blob });
    }
  }
  return entries;
}

/** The paths whose content a filter of the repository or of the user converts. */
export async function filteredPaths(
  repository: GitRepository,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const words = ['check-attr', '-z', '--stdin', 'filter'] as const;
  const input = paths.map((path) => `${path}\0`).join('');
  const fields = (await answered(repository, [...words], input, signal)).split('\0');
  return paths.filter(
    (_, index) => !['unspecified', 'unset'].includes(fields[3 * index + 2] ?? 'unspecified'),
  );
}

/** Where the hooks of the repository are: our own options switch the configured directory off. */
export async function hooksDirectory(repository: GitRepository, signal: AbortSignal): Promise<string> {
  const words = ['config', '-z', '--type=path', '--get-all', 'core.hooksPath'] as const;
  const { stdout } = await repository.answer([...words], {}, signal);
  const configured = stdout.split('\0').slice(0, -2).at(-1);
  if (configured === undefined) return join(repository.commonDirectory, 'hooks');
  return isAbsolute(configured) ? configured : join(repository.top, configured);
}

async function answered(
  repository: GitRepository,
  words: readonly [string, ...string[]],
  input: string,
  signal: AbortSignal,
): Promise<string> {
  const literal = { GIT_LITERAL_PATHSPECS: '1' };
  const { code, stdout, stderr } = await repository.answer([...words], { input, env: literal }, signal);
  if (code !== 0)
    throw new GitFailed(stderr.trim().split('\n', 1)[0] || `${words[0]} ended with code ${code}`);
  return stdout;
}
