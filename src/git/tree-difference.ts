/**
 * The files that differ between two commits, from their trees alone.
 *
 * Invariant: the answer is that of `git diff-tree -r --no-renames`, as a function of immutable objects; only trees that
 * differ are read.
 */
import type { RawChange, RawSide } from './file-state.ts';
import { GitFailed } from './git-repository.ts';
import type { GitObject, ObjectReader } from './object-reader.ts';

type Entry = { readonly kind: 'tree'; readonly id: string } | (RawSide & { readonly id: string });
type Entries = ReadonlyMap<string, Entry>;

/** A directory that both sides may have; an absent id: no directory. */
interface TreePair {
  readonly prefix: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** `from` and `to` are commits. */
export async function treeDifference(
  reader: ObjectReader,
  { from, to }: { readonly from: string; readonly to: string },
  signal: AbortSignal,
): Promise<readonly RawChange[]> {
  const [old, young] = await reader.read([from, to], signal);
  const changes: RawChange[] = [];
  let level: readonly TreePair[] = [{ prefix: '', from: treeOf(from, old), to: treeOf(to, young) }];
  while (level.length > 0) {
    const ids = [...new Set(level.flatMap((pair) => [pair.from, pair.to]))].filter((id) => id !== undefined);
    const objects = await reader.read(ids, signal);
    const trees = new Map(ids.map((id, index) => [id, entriesOf(id, objects[index])]));
    const entries = (id: string | undefined): Entries =>
      (id === undefined ? undefined : trees.get(id)) ?? noEntries;
    level = level.flatMap((pair) => compared(pair.prefix, entries(pair.from), entries(pair.to), changes));
  }
  return changes.sort((one, other) => (one.path < other.path ? -1 : 1));
}

const noEntries: Entries = new Map();

/** Adds the files of a directory that differ; returns the directories below it that do. */
function compared(prefix: string, from: Entries, to: Entries, changes: RawChange[]): readonly TreePair[] {
  const below: TreePair[] = [];
  for (const name of new Set([...from.keys(), ...to.keys()])) {
    const [old, young] = [from.get(name), to.get(name)];
    if (old?.id === young?.id && old?.kind === young?.kind) continue;
    const path = `${prefix}${name}`;
    const [before, after] = [fileOf(old), fileOf(young)];
    if (before || after) changes.push({ path, before, after });
    const trees = { from: treeIn(old), to: treeIn(young) };
    if (trees.from !== undefined || trees.to !== undefined) below.push({ prefix: `${path}/`, ...trees });
  }
  return below;
}

function treeIn(entry: Entry | undefined): string | undefined {
  return entry?.kind === 'tree' ? entry.id : undefined;
}

function fileOf(entry: Entry | undefined): RawSide | undefined {
  return entry === undefined || entry.kind === 'tree' ? undefined : { kind: entry.kind, blob: entry.id };
}

/** A commit begins with the id of its tree. */
function treeOf(commit: string, object: GitObject | undefined): string {
  if (object?.kind !== 'commit') throw new GitFailed(`commit ${commit} is not in this clone`);
  const [, tree] =
    /^tree ([0-9a-f]+)\n/.exec(Buffer.from(object.bytes.subarray(0, 80)).toString('latin1')) ?? [];
  if (tree === undefined) throw new GitFailed(`commit ${commit} names no tree`);
  return tree;
}

/** `<mode> <name>`, NUL, and the bytes of an id, for each entry. */
function entriesOf(tree: string, object: GitObject | undefined): Entries {
  if (object?.kind !== 'tree') throw new GitFailed(`object ${tree} is not in this clone`);
  const bytes = Buffer.from(object.bytes.buffer, object.bytes.byteOffset, object.bytes.length);
  const idBytes = tree.length / 2;
  const entries = new Map<string, Entry>();
  for (let at = 0; at < bytes.length; ) {
    const [blank, end] = [bytes.indexOf(32, at), bytes.indexOf(0, at)];
    if (blank < 0 || end < blank) throw new GitFailed(`tree ${tree} cannot be read`);
    const id = bytes.toString('hex', end + 1, end + 1 + idBytes);
    const kind = kindOf(Number.parseInt(bytes.toString('latin1', at, blank), 8));
    entries.set(
      bytes.toString('utf8', blank + 1, end),
      kind === 'tree' ? { kind, id } : { kind, id, blob: id },
    );
    at = end + 1 + idBytes;
  }
  return entries;
}

/** As git takes the modes that old programs have written. */
function kindOf(mode: number): Entry['kind'] {
  switch (mode & 0o170000) {
    case 0o100000:
      return (mode & 0o100) === 0 ? 'file' : 'executable';
    case 0o120000:
      return 'symlink';
    case 0o040000:
      return 'tree';
    default:
      return 'submodule';
  }
}
