/** Which files differ between commits, the index and the working tree, and which git does not track. */
import { GitFailed, type GitRepository } from './git-repository.ts';

/** A file that differs between two states; an absent side has no blob. */
export interface RawChange {
  readonly path: string;
  /** Absent if there was no file, or if the path was a submodule. */
  readonly before: RawSide | undefined;
  /** Absent if there is no file. In the working tree, the content is on disk and the blob unknown. */
  readonly after: RawSide | undefined;
}

export interface RawSide {
  /** Undefined for the working tree, whose contents have no object yet. */
  readonly blob: string | undefined;
  readonly kind: 'file' | 'executable' | 'symlink' | 'submodule';
}

export interface ListedFile {
  readonly path: string;
  /** `unwatched`: git was told not to look for changes (assume-unchanged, skip-worktree). */
  readonly state: 'tracked' | 'unwatched' | 'untracked';
}

export function isSubmodule(side: RawSide | undefined): boolean {
  return side?.kind === 'submodule';
}

/** Files that differ from the last commit, in the working tree or in the index. */
export async function changesSinceHead(
  repository: GitRepository,
  side: 'working tree' | 'index',
  signal: AbortSignal,
): Promise<readonly RawChange[]> {
  return changesSince(repository, { tree: await repository.head(signal), side }, signal);
}

/** Files whose state on disk is not the one that the index remembers; the contents may be the same. */
export async function changesSinceIndex(
  repository: GitRepository,
  signal: AbortSignal,
): Promise<readonly RawChange[]> {
  return rawChanges(await repository.text(['diff-files', ...rawOptions], signal));
}

/** Files that differ between a tree and the working tree; files that git does not track are not among them. */
export function changesOnDisk(
  repository: GitRepository,
  tree: string,
  signal: AbortSignal,
): Promise<readonly RawChange[]> {
  return changesSince(repository, { tree, side: 'working tree' }, signal);
}

/** Files that differ between two trees. */
export async function changesBetween(
  repository: GitRepository,
  { from, to }: { readonly from: string; readonly to: string },
  signal: AbortSignal,
): Promise<readonly RawChange[]> {
  return rawChanges(await repository.text(['diff-tree', '-r', ...rawOptions, from, to, '--'], signal));
}

/** Files with a merge conflict that is not resolved. */
export async function unmergedFiles(
  repository: GitRepository,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const listed = await repository.text(['ls-files', '--unmerged', '-z', '--full-name'], signal);
  const names = listed.split('\0').flatMap((line) => /\t(.*)$/s.exec(line)?.[1] ?? []);
  return [...new Set(names)];
}

/** Files that git neither tracks nor ignores. */
export async function untrackedFiles(
  repository: GitRepository,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const words = ['ls-files', '--others', '--exclude-standard', '-z', '--full-name'] as const;
  const listed = await repository.text([...words], signal);
  return listed.split('\0').filter((path) => path !== '' && !path.endsWith('/'));
}

/** Every file that git tracks or would track. A submodule is listed as one path. */
export async function listedFiles(
  repository: GitRepository,
  signal: AbortSignal,
): Promise<readonly ListedFile[]> {
  const words = ['ls-files', '-v', '--cached', '--others', '--exclude-standard'] as const;
  const listed = await repository.text([...words, '-z', '--full-name'], signal);
  return listed.split('\0').flatMap((line) => {
    const [, mark = '', path = ''] = /^(\S) (.+)$/s.exec(line) ?? [];
    if (path === '' || path.endsWith('/')) return [];
    return [{ path, state: mark === '?' ? 'untracked' : /[a-zS]/.test(mark) ? 'unwatched' : 'tracked' }];
  });
}

/** Whether git ignores one of these paths, which need not exist. */
export async function ignoresSome(
  repository: GitRepository,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  if (paths.length === 0) return false;
  const input = paths.map((path) => `${path}\0`).join('');
  const { code, stderr } = await repository.answer(['check-ignore', '-z', '--stdin'], { input }, signal);
  if (code === 0 || code === 1) return code === 0;
  throw new GitFailed(stderr.trim().split('\n', 1)[0] ?? '');
}

async function changesSince(
  repository: GitRepository,
  { tree, side }: { readonly tree: string; readonly side: 'working tree' | 'index' },
  signal: AbortSignal,
): Promise<readonly RawChange[]> {
  const cached = side === 'index' ? ['--cached'] : [];
  const words = ['diff-index', ...rawOptions, '--ignore-submodules=dirty', ...cached, tree, '--'] as const;
  return rawChanges(await repository.text([...words], signal));
}

const rawOptions = ['--raw', '-z', '--no-abbrev', '--no-renames'];

/** `:100644 100755 <blob> <blob> M` and a path, each terminated by NUL. */
function rawChanges(listed: string): readonly RawChange[] {
  const fields = listed.split('\0');
  const changes: RawChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, oldMode = '', newMode = '', oldBlob = '', newBlob = ''] =
      /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) /.exec(fields[at] ?? '') ?? [];
    changes.push({
      path: fields[at + 1] ?? '',
      before: sideOf(oldMode, oldBlob),
      after: sideOf(newMode, newBlob),
    });
  }
  return changes;
}

function sideOf(mode: string, blob: string): RawSide | undefined {
  const kind = kinds[mode];
  return kind === undefined ? undefined : { kind, blob: /^0+$/.test(blob) ? undefined : blob };
}

const kinds: Readonly<Record<string, RawSide['kind']>> = {
  '100644': 'file',
  '100755': 'executable',
  '120000': 'symlink',
  '160000': 'submodule',
};
