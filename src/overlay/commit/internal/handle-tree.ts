import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { errnoOf } from '../../../base/errno.ts';
import {
  baseName,
  comparePaths,
  parentOf,
  rootPath,
  type WorkspacePath,
} from '../../../workspace/workspace-path.ts';
import {
  type DirectoryIdentity,
  DirectoryReplaced,
  directoryAt,
  directoryIdentityOf,
  isSameDirectory,
  rootAt,
} from './directory-identity.ts';
import type { TreeAccess } from './tree-access.ts';

/**
 * Directories held open, on Linux: `/proc/self/fd/N/name` is the entry `name` of the directory opened as N, wherever
 * that directory is now.
 *
 * Invariant: every component below the root is opened in the directory before it, without following a link. At most
 * `capacity` directories besides the root and the pinned ones are open; one that was closed is opened again only if it
 * is the same directory.
 */
export class HandleTree implements TreeAccess {
  readonly identity: DirectoryIdentity;
  readonly #rootName: string;
  readonly #root: number;
  /** Least recently used first. */
  readonly #open = new Map<WorkspacePath, number>();
  readonly #pinned = new Map<WorkspacePath, number>();
  readonly #known = new Map<WorkspacePath, DirectoryIdentity>();

  private constructor(rootName: string, root: number) {
    this.#rootName = rootName;
    this.#root = root;
    this.identity = directoryIdentityOf(fstatSync(root, { bigint: true }));
  }

  /** Undefined if the system does not name the entries of opened directories. */
  static open(root: string): HandleTree | undefined {
    if (process.platform !== 'linux') return undefined;
    const tree = new HandleTree(root, openSync(root, directoryFlags));
    const isNamed = isSameDirectory(tree.identity, directoryAt(`${nameOf(tree.#root)}/.`));
    if (isNamed && isSameDirectory(tree.identity, rootAt(root))) return tree;
    tree[Symbol.dispose]();
    if (isNamed) throw new DirectoryReplaced(rootPath);
    return undefined;
  }

  on<T>(path: WorkspacePath, call: (entry: string) => T): T {
    return call(`${this.directory(parentOf(path))}/${baseName(path)}`);
  }

  directory(path: WorkspacePath): string {
    return nameOf(this.#descriptor(path));
  }

  pin(path: WorkspacePath): DirectoryIdentity {
    const descriptor = this.#descriptor(path);
    this.#open.delete(path);
    this.#pinned.set(path, descriptor);
    return directoryIdentityOf(fstatSync(descriptor, { bigint: true }));
  }

  forget(path: WorkspacePath): void {
    for (const held of [this.#open, this.#pinned]) {
      const descriptor = held.get(path);
      if (descriptor !== undefined) closeSync(descriptor);
      held.delete(path);
    }
    this.#known.delete(path);
  }

  misled(): readonly WorkspacePath[] {
    if (!isSameDirectory(this.identity, rootAt(this.#rootName))) return [rootPath];
    // Parents come first, so each path is checked by its last component.
    const directories = [...this.#known].sort(([a], [b]) => comparePaths(a, b));
    return directories
      .filter(([path, identity]) => !isSameDirectory(identity, this.#lookAgain(path)))
      .map(([path]) => path);
  }

  [Symbol.dispose](): void {
    for (const descriptor of [...this.#open.values(), ...this.#pinned.values(), this.#root]) {
      closeSync(descriptor);
    }
    this.#open.clear();
    this.#pinned.clear();
  }

  #lookAgain(path: WorkspacePath): DirectoryIdentity | undefined {
    try {
      return this.on(path, directoryAt);
    } catch (thrown) {
      if (thrown instanceof DirectoryReplaced || isGone(thrown)) return undefined;
      throw thrown;
    }
  }

  #descriptor(path: WorkspacePath): number {
    if (path === rootPath) return this.#root;
    const pinned = this.#pinned.get(path);
    if (pinned !== undefined) return pinned;
    const known = this.#open.get(path);
    const descriptor = known ?? this.#openDirectory(path);
    this.#open.delete(path);
    this.#open.set(path, descriptor);
    this.#closeOldest();
    return descriptor;
  }

  #openDirectory(path: WorkspacePath): number {
    const descriptor = this.on(path, (entry) => openSync(entry, directoryFlags));
    const identity = directoryIdentityOf(fstatSync(descriptor, { bigint: true }));
    const known = this.#known.get(path);
    if (known !== undefined && !isSameDirectory(identity, known)) {
      closeSync(descriptor);
      throw new DirectoryReplaced(path);
    }
    this.#known.set(path, identity);
    return descriptor;
  }

  #closeOldest(): void {
    if (this.#open.size <= capacity) return;
    const [oldest] = this.#open;
    if (oldest === undefined) return;
    this.#open.delete(oldest[0]);
    closeSync(oldest[1]);
  }
}

/** Far below the descriptor limit of any system, far above what most commits need. */
const capacity = 256;

/**
 * `O_PATH`, which exists on Linux only and is not named by Node: opens a directory without the right to list it. The
 * value is the same on all architectures that Node runs on.
 */
const pathOnly = 0o10000000;

const directoryFlags = pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW;

function nameOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

function isGone(thrown: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(thrown) ?? '');
}
