/**
 * Every file that a server's answers can depend on, as it is on disk now.
 *
 * Change events are not relied on: each scan checks every file again, but reads only those modified since. Facts are
 * stored for later processes.
 *
 * Invariant: a scan lists every file below the workspace that the server could read, including build output and
 * hidden files, without packages and version control. If that cannot be guaranteed, there is no inventory.
 */
import {
  type Dirent,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { errnoOf, isMissing } from '../../base/errno.ts';
import { FifoLock } from '../../base/fifo-lock.ts';
import { storedValue } from '../../base/stored-json.ts';
import type { ReachFamily } from '../../graph/reach/reach-family.ts';
import { sha256 } from '../../storage/hash.ts';
import { clockTickMs, type FileStamp, isSameStamp, stampAt } from '../../workspace/disk-state.ts';
import type { FileEvent } from '../../workspace/file-event.ts';
import { IgnoreRules } from '../../workspace/ignore-rules.ts';
import {
  cacheNames,
  environmentMarker,
  packageNames,
  transactionName,
  versionControlNames,
} from '../../workspace/known-directory.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { baseName, childOf, rootPath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { parseFacts, readSourceFacts, type SourceFacts, writeFacts } from './source-facts.ts';

export interface Inventory {
  readonly sources: ReadonlyMap<WorkspacePath, SourceFacts>;
  /** The hashes of everything else: configuration, data, and link targets. */
  readonly others: ReadonlyMap<WorkspacePath, string>;
  /** Texts that may configure how sources import one another. */
  readonly terms: ReadonlyMap<WorkspacePath, string>;
  /** Package directories that were skipped. */
  readonly packages: readonly WorkspacePath[];
  /** The differences to the previous scan; for the first one, files modified in the last seconds. */
  readonly changes: readonly FileEvent[];
  /** When a file that watchers ignore last changed, so that no server was notified. */
  readonly unwatchedChangeMs: number;
}

export interface InventoryScope {
  readonly workspace: Workspace;
  readonly family: ReachFamily;
  isSource(path: string): boolean;
  /** Whether the server may read the file at all. */
  isRead(path: string): boolean;
}

/** Stores facts across processes. */
export interface FactStore {
  load(): Iterable<{ readonly path: string; readonly stamp: string; readonly value: string }>;
  save(
    changed: readonly { readonly path: string; readonly stamp: string; readonly value: string }[],
    gone: readonly string[],
  ): void;
}

/** How far back the first scan looks for changes that a running server may not have processed. */
export const recentMs = 5000;

export class FileInventory {
  readonly #scope: InventoryScope;
  readonly #store: FactStore;
  readonly #turn = new FifoLock();
  readonly #directories = new Map<WorkspacePath, Directory>();
  #files: Map<WorkspacePath, CountedFile> | undefined;
  #unwatched: ReadonlySet<WorkspacePath> = new Set();
  #unwatchedChangeMs = 0;

  constructor(scope: InventoryScope, store: FactStore) {
    this.#scope = scope;
    this.#store = store;
  }

  /** Undefined if the workspace is too large, or has links that lead outside. */
  async scan(signal: AbortSignal): Promise<Inventory | undefined> {
    using _turn = await this.#turn.acquire(signal);
    const walk = this.#walk();
    if (!walk) return undefined;
    const before = this.#files ?? this.#loaded();
    const files = new Map<WorkspacePath, CountedFile>();
    const changed: WorkspacePath[] = [];
    let bytesRead = 0;
    for (const path of walk.files) {
      const known = before.get(path);
      const absolute = this.#scope.workspace.absolute(path);
      const stamp = stampAt(absolute);
      if (stamp === undefined) continue;
      if (known && isSameStamp(known.stamp, stamp, absolute)) {
        files.set(path, known);
        continue;
      }
      const counted = this.#read(path, absolute, stamp);
      if (!counted) continue;
      files.set(path, counted);
      changed.push(path);
      bytesRead += stamp.size;
      if (bytesRead > bytesAtOnce) {
        bytesRead = 0;
        await setImmediate(undefined, { signal });
      }
    }
    const gone = [...before.keys()].filter((path) => !files.has(path));
    this.#keep(files, changed, gone);
    const changes = this.#files ? eventsOf(this.#files, { changed, gone }) : recentEvents(files);
    this.#files = files;
    const unwatchedChangeMs = this.#followUnwatched(walk, gone);
    return { ...sorted(files, walk.links), packages: walk.packages, changes, unwatchedChangeMs };
  }

  #followUnwatched(walk: Walk, gone: readonly WorkspacePath[]): number {
    const times = [...walk.unwatched].map((path) => this.#files?.get(path)?.stamp.changedMs ?? 0);
    const lost = gone.some((path) => this.#unwatched.has(path)) ? Date.now() : 0;
    this.#unwatched = walk.unwatched;
    this.#unwatchedChangeMs = Math.max(this.#unwatchedChangeMs, walk.unwatchedChangeMs, lost, ...times);
    return this.#unwatchedChangeMs;
  }

  /** Directories whose times did not change have the same entries and are not listed again. */
  #walk(): Walk | undefined {
    const rules = new IgnoreRules(this.#scope.workspace);
    const walk: MutableWalk = {
      files: [],
      links: new Map(),
      packages: [],
      unwatched: new Set(),
      unwatchedChangeMs: 0,
    };
    const level: { readonly path: WorkspacePath; readonly isWatched: boolean }[] = [
      { path: rootPath, isWatched: true },
    ];
    const met = new Set<WorkspacePath>();
    // An array iterates over elements added during the iteration.
    for (const { path, isWatched } of level) {
      const directory = this.#directory(path);
      if (!directory) continue;
      met.add(path);
      if (directory.links === 'outside') return undefined;
      for (const [link, target] of directory.links) walk.links.set(link, target);
      addDirectory(walk, directory, isWatched ? 'watched' : 'unwatched');
      for (const below of directory.directories) {
        level.push({ path: below, isWatched: isWatched && !rules.ignoresDirectory(path, baseName(below)) });
      }
      if (walk.files.length > maximumFiles || level.length > maximumFiles) return undefined;
    }
    this.#keepDirectories(met);
    return walk;
  }

  #keepDirectories(met: ReadonlySet<WorkspacePath>): void {
    for (const path of this.#directories.keys()) if (!met.has(path)) this.#directories.delete(path);
  }

  #directory(path: WorkspacePath): Directory | undefined {
    const absolute = this.#scope.workspace.absolute(path);
    const stat = statSync(absolute, { throwIfNoEntry: false });
    if (!stat?.isDirectory()) return undefined;
    const changedMs = Math.max(stat.mtimeMs, stat.ctimeMs);
    const stamp = `${stat.mtimeMs}:${stat.ctimeMs}:${stat.ino}`;
    const known = this.#directories.get(path);
    if (known?.stamp === stamp) return known;
    // Within one tick of the clock another entry may appear without a change of the times.
    const isSettled = Date.now() - changedMs > clockTickMs;
    const listed = this.#list(path, absolute);
    if (!listed) return undefined;
    const directory = { ...listed, changedMs, stamp: isSettled ? stamp : '' };
    this.#directories.set(path, directory);
    return directory;
  }

  #list(path: WorkspacePath, absolute: string): Omit<Directory, 'stamp' | 'changedMs'> | undefined {
    const files: WorkspacePath[] = [];
    const directories: WorkspacePath[] = [];
    const packages: WorkspacePath[] = [];
    const links = new Map<WorkspacePath, string>();
    for (const entry of entriesOf(absolute)) {
      const place = childOf(path, entry.name);
      if (isPackageDirectory(absolute, entry.name)) packages.push(place);
      else if (isLeftOut(entry.name)) continue;
      else if (entry.isDirectory()) directories.push(place);
      else if (entry.isSymbolicLink()) links.set(place, this.#target(place));
      else if (entry.isFile() && this.#scope.isRead(place)) files.push(place);
    }
    const leaving = [...links].flatMap(([link, target]) => (target === 'outside' ? [link] : []));
    for (const link of leaving) links.delete(link);
    const isOpen = leaving.some((link) => this.#matters(link));
    return { files, directories, packages, links: isOpen ? 'outside' : links };
  }

  /** Whether a link leads to a directory, or to a file of a kind that is read. */
  #matters(link: WorkspacePath): boolean {
    const stat = statSync(this.#scope.workspace.absolute(link), { throwIfNoEntry: false });
    return stat !== undefined && (stat.isDirectory() || this.#scope.isRead(link));
  }

  #target(link: WorkspacePath): string {
    const { workspace } = this.#scope;
    const absolute = workspace.absolute(link);
    try {
      const real = realpathSync.native(absolute);
      return real === workspace.root || real.startsWith(`${workspace.root}/`)
        ? readlinkSync(absolute)
        : 'outside';
    } catch (thrown) {
      if (errnoOf(thrown) === undefined) throw thrown;
      return 'nowhere';
    }
  }

  #read(path: WorkspacePath, absolute: string, stamp: FileStamp): CountedFile | undefined {
    // A file too large to be hashed at each change is identified by its times, on this machine only.
    if (stamp.size > largeBytes) return { stamp, kind: 'other', hash: JSON.stringify(stamp) };
    try {
      const bytes = readFileSync(absolute);
      const { family } = this.#scope;
      if (this.#scope.isSource(path))
        return { stamp, kind: 'source', facts: readSourceFacts(family, path, bytes) };
      const hash = sha256(bytes);
      const text = bytes.toString('utf8');
      const setsTerms =
        path.endsWith('.json') &&
        /"(?:compilerOptions|extends|files|include|references|name|exports|imports)"/.test(text);
      return { stamp, kind: 'other', hash, ...(setsTerms && { terms: text }) };
    } catch (thrown) {
      if (isMissing(thrown)) return undefined;
      if (errnoOf(thrown) === undefined) throw thrown;
      return { stamp, kind: 'other', hash: 'unreadable' };
    }
  }

  #loaded(): ReadonlyMap<WorkspacePath, CountedFile> {
    const files = new Map<WorkspacePath, CountedFile>();
    for (const { path, stamp, value } of this.#store.load()) {
      const facts = parseFacts(value);
      const parsed = storedValue(stamp, stampSchema);
      if (facts && parsed)
        files.set(this.#scope.workspace.path(path), { stamp: parsed, kind: 'source', facts });
    }
    return files;
  }

  #keep(
    files: ReadonlyMap<WorkspacePath, CountedFile>,
    changed: readonly WorkspacePath[],
    gone: readonly WorkspacePath[],
  ): void {
    const rows = changed.flatMap((path) => {
      const file = files.get(path);
      return file?.kind === 'source'
        ? { path, stamp: JSON.stringify(file.stamp), value: writeFacts(file.facts) }
        : [];
    });
    this.#store.save(rows, gone);
  }
}

interface Directory {
  readonly stamp: string;
  readonly changedMs: number;
  readonly files: readonly WorkspacePath[];
  readonly directories: readonly WorkspacePath[];
  readonly packages: readonly WorkspacePath[];
  /** The target of each link; `outside` if a relevant one leaves the workspace. */
  readonly links: ReadonlyMap<WorkspacePath, string> | 'outside';
}

interface MutableWalk {
  readonly files: WorkspacePath[];
  readonly links: Map<WorkspacePath, string>;
  readonly packages: WorkspacePath[];
  /** The files that watchers ignore. */
  readonly unwatched: Set<WorkspacePath>;
  /** When such a directory last gained or lost an entry. */
  unwatchedChangeMs: number;
}

type Walk = Readonly<MutableWalk>;

type CountedFile = { readonly stamp: FileStamp } & (
  | { readonly kind: 'source'; readonly facts: SourceFacts }
  | { readonly kind: 'other'; readonly hash: string; readonly terms?: string }
);

/** With more files, the scan takes longer than asking the server. */
const maximumFiles = 20_000;
const largeBytes = 4_000_000;
const bytesAtOnce = 1_000_000;

const packageDirectories: ReadonlySet<string> = new Set(packageNames);

/** A directory called venv may contain sources; its marker file shows that it is an environment. */
function isPackageDirectory(parent: string, name: string): boolean {
  return (
    packageDirectories.has(name) || (name === 'venv' && existsSync(`${parent}/venv/${environmentMarker}`))
  );
}

/** Servers read nothing in these. */
const leftOut: ReadonlySet<string> = new Set([
  ...versionControlNames,
  ...cacheNames,
  '.forerun',
  transactionName,
]);

function entriesOf(absolute: string): readonly Dirent[] {
  try {
    return readdirSync(absolute, { withFileTypes: true });
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (isMissing(thrown) || code === 'EACCES' || code === 'EPERM') return [];
    throw thrown;
  }
}

function sorted(
  files: ReadonlyMap<WorkspacePath, CountedFile>,
  links: ReadonlyMap<WorkspacePath, string>,
): Pick<Inventory, 'sources' | 'others' | 'terms'> {
  const sources = new Map<WorkspacePath, SourceFacts>();
  const others = new Map<WorkspacePath, string>([...links].map(([path, target]) => [path, `link ${target}`]));
  const terms = new Map<WorkspacePath, string>();
  for (const [path, file] of files) {
    if (file.kind === 'source') sources.set(path, file.facts);
    else others.set(path, file.hash);
    if (file.kind === 'other' && file.terms !== undefined) terms.set(path, file.terms);
  }
  return { sources, others, terms };
}

function eventsOf(
  before: ReadonlyMap<WorkspacePath, CountedFile>,
  { changed, gone }: { readonly changed: readonly WorkspacePath[]; readonly gone: readonly WorkspacePath[] },
): readonly FileEvent[] {
  return [
    ...changed.map((path): FileEvent => ({ path, kind: before.has(path) ? 'changed' : 'created' })),
    ...gone.map((path): FileEvent => ({ path, kind: 'deleted' })),
  ];
}

function recentEvents(files: ReadonlyMap<WorkspacePath, CountedFile>): readonly FileEvent[] {
  const since = Date.now() - recentMs;
  return [...files].flatMap(([path, { stamp }]) =>
    stamp.changedMs > since ? [{ path, kind: 'changed' as const }] : [],
  );
}

const stampSchema = z
  .object({
    modifiedMs: z.number(),
    changedMs: z.number(),
    size: z.number(),
    inode: z.number(),
    content: z.string().exactOptional(),
  })
  .readonly();

function isLeftOut(name: string): boolean {
  return leftOut.has(name) || name.startsWith(`${transactionName}-`);
}

function addDirectory(
  walk: MutableWalk,
  { files, packages, changedMs }: Directory,
  kind: 'watched' | 'unwatched',
): void {
  for (const file of files) walk.files.push(file);
  walk.packages.push(...packages);
  if (kind === 'watched') return;
  // Changes of unwatched files cause no event, so their times are checked.
  for (const file of files) walk.unwatched.add(file);
  walk.unwatchedChangeMs = Math.max(walk.unwatchedChangeMs, changedMs);
}
