/**
 * Changes files of a mounted workspace.
 *
 * Invariant: no operation leaves the view. Symlinks are resolved by hand and only inside the workspace; a symlink at
 * the end of a path is replaced, never followed. Operations run one after another.
 */

import type { Stats } from 'node:fs';
import {
  chmod,
  constants,
  copyFile,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  rmdir,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { errnoOf, isMissing } from '../../base/errno.ts';
import { Failure } from '../../base/failure.ts';
import { unreachable } from '../../base/unreachable.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { StaleDirectories } from './stale-directories.ts';

class PathLeavesWorkspace extends Failure {
  readonly code = 'sandbox/path-leaves-workspace';
  readonly remedy = 'Give the path of the file inside the workspace, without a symlink that leads out of it.';
}

interface FileViewParts {
  /** The path of the mounted workspace. */
  readonly view: string;
  /** The path of the real one. */
  readonly root: string;
  /** Has the kernel look up again what the view shows of the disk; absent for a copy. */
  readonly remount?: () => Promise<void>;
}

export class FileView {
  readonly #view: string;
  readonly #root: string;
  readonly #stale: StaleDirectories | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ view, root, remount }: FileViewParts) {
    this.#view = view;
    this.#root = root;
    this.#stale = remount && new StaleDirectories({ view, root, remount });
  }

  write(path: WorkspacePath, content: FileContent): Promise<void> {
    return this.#inTurn(async () => {
      const target = await this.#place(path, 'make');
      if (target === undefined) return;
      const isNew = (await writeContent(target, content)) === 'created';
      if (isNew) await this.#stale?.renew(path);
    });
  }

  remove(path: WorkspacePath): Promise<void> {
    return this.#inTurn(async () => {
      await this.#stale?.renew(path);
      const target = await this.#place(path, 'find');
      if (target) await rm(target, { recursive: true, force: true });
    });
  }

  restore(path: WorkspacePath): Promise<void> {
    return this.#inTurn(async () => {
      await this.#stale?.renew(path);
      const source = join(this.#root, path);
      const onDisk = await statOf(source);
      const target = await this.#place(path, onDisk ? 'make' : 'find');
      if (target === undefined) return;
      if (onDisk) await copyEntry(source, target, onDisk);
      else await this.#removeUnlisted(target, path);
    });
  }

  readText(path: string): Promise<string | undefined> {
    return this.#inTurn(async () => {
      const target = await this.#place(path, 'find');
      if (target === undefined || !(await statOf(target))?.isFile()) return undefined;
      return await readFile(target, 'utf8');
    });
  }

  #inTurn<T>(operation: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(operation, operation);
    this.#last = turn;
    return turn;
  }

  /** Removes a file that the disk does not have, and directories created only for it. */
  async #removeUnlisted(target: string, path: WorkspacePath): Promise<void> {
    await rm(target, { recursive: true, force: true });
    let directory = dirname(path);
    let shown = dirname(target);
    while (directory !== '.' && (await statOf(join(this.#root, directory))) === undefined) {
      try {
        await rmdir(shown);
      } catch (thrown) {
        if (isMissing(thrown) || errnoOf(thrown) === 'ENOTEMPTY') return;
        throw thrown;
      }
      directory = dirname(directory);
      shown = dirname(shown);
    }
  }

  /**
   * The location of a path in the view, resolved one directory at a time. `make` creates missing directories and
   * replaces a file in the way; `find` returns undefined instead.
   */
  async #place(path: string, directories: 'make' | 'find'): Promise<string | undefined> {
    let steps = path.split('/').slice(0, -1);
    let at = '';
    let links = 0;
    while (steps.length > 0) {
      const [step = '', ...rest] = steps;
      const next = [at, step].filter(Boolean).join('/');
      const shown = join(this.#view, next);
      const found = await statOf(shown);
      if (found?.isSymbolicLink()) {
        links += 1;
        if (links > 40) throw new PathLeavesWorkspace(`${path} runs through too many symlinks`);
        const inside = await this.#followInside(next, path);
        if (inside === next) continue;
        steps = [...inside.split('/').filter(Boolean), ...rest];
        at = '';
        continue;
      }
      if (!found?.isDirectory() && directories === 'find') return undefined;
      if (!found?.isDirectory()) await makeDirectory(shown);
      at = next;
      steps = rest;
    }
    return join(this.#view, at, basename(path));
  }

  /** The target of a symlink inside the workspace; a link that stands for a copy is replaced by its contents. */
  async #followInside(link: string, asked: string): Promise<string> {
    const target = resolve(join(this.#root, dirname(link)), await readlink(join(this.#view, link)));
    const inView = relative(this.#view, target);
    const inside = leaves(inView) ? relative(this.#root, target) : inView;
    if (inside === link) {
      await unfold(join(this.#view, link), target);
      return link;
    }
    if (leaves(inside)) {
      throw new PathLeavesWorkspace(`${asked} leaves the workspace through the symlink ${link}`);
    }
    return inside;
  }
}

/** Creates a directory, replacing a file if there is one. */
async function makeDirectory(path: string): Promise<void> {
  await rm(path, { force: true });
  await mkdir(path);
}

function leaves(way: string): boolean {
  return way === '..' || way.startsWith('../');
}

/** Replaces a link to a directory with a directory of links, one level deep. */
async function unfold(link: string, target: string): Promise<void> {
  const names = await readdir(target);
  await rm(link);
  await mkdir(link);
  for (const name of names) await symlink(join(target, name), join(link, name));
}

async function writeContent(target: string, content: FileContent): Promise<'created' | 'replaced'> {
  const existing = await statOf(target);
  const outcome = existing ? 'replaced' : 'created';
  if (existing && (!existing.isFile() || content.kind === 'symlink')) await rm(target, { recursive: true });
  switch (content.kind) {
    case 'text':
      await writeFile(target, content.bom ? `\uFEFF${content.text}` : content.text);
      break;
    case 'binary':
      await writeFile(target, content.bytes);
      break;
    case 'symlink':
      await symlink(content.target, target);
      return outcome;
    default:
      unreachable(content);
  }
  if (content.mode !== undefined) await chmod(target, content.mode & 0o777);
  return outcome;
}

async function copyEntry(source: string, target: string, onDisk: Stats): Promise<void> {
  const existing = await statOf(target);
  if (existing && !(existing.isFile() && onDisk.isFile())) await rm(target, { recursive: true });
  if (onDisk.isSymbolicLink()) {
    await symlink(await readlink(source), target);
  } else if (onDisk.isDirectory()) {
    await cp(source, target, { recursive: true, verbatimSymlinks: true });
  } else {
    await copyFile(source, target, constants.COPYFILE_FICLONE);
    await chmod(target, onDisk.mode & 0o777);
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}
