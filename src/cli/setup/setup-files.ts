/**
 * The files that a set-up changes, all planned before the first is written.
 *
 * Invariant: planning writes nothing. Files are written by the same commit as any other: a file that changed since it
 * was read is a conflict, links are followed, and a crash leaves every file complete. Of a file that is changed, the
 * former text is kept in the user's state directory.
 */
import { createHash } from 'node:crypto';
import { access, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { commitOverlay } from '../../overlay/commit/commit.ts';
import { editText, Overlay, readText } from '../../overlay/overlay.ts';
import { statePlaces } from '../../storage/own-places.ts';
import { makePrivateDirectory } from '../../storage/user-directories.ts';
import { makeFilePatch, printUnifiedDiff } from '../../text/unified-diff.ts';
import { Baseline } from '../../workspace/baseline.ts';
import { DiskSource } from '../../workspace/disk-source.ts';
import { Workspace } from '../../workspace/workspace.ts';
import { BrokenConfig, SetupConflict } from './setup-failure.ts';

interface Directory {
  readonly workspace: Workspace;
  overlay: Overlay;
}

export class SetupFiles {
  readonly #directories = new Map<string, Directory>();

  /** Plans the new content of a file; `undefined` stands for its absence, before and after. */
  async edit(
    file: string,
    change: (text: string | undefined) => string | undefined,
  ): Promise<'changed' | 'same'> {
    const real = await realName(file);
    if (await isDirectory(real)) throw new BrokenConfig(file, 'it is a directory');
    const directory = await this.#directoryOf(real);
    const path = directory.workspace.path(real);
    const content = await directory.overlay.read(path);
    const before = content === undefined ? undefined : (await readText(directory.overlay, path)).text;
    const after = change(before);
    if (after === before) return 'same';
    if (after === undefined) directory.overlay = directory.overlay.remove(path);
    else if (content === undefined) directory.overlay = directory.overlay.writeText(path, after);
    else directory.overlay = await editText(directory.overlay, path, () => after);
    return 'changed';
  }

  /** The plan as a patch, with paths relative to `from` for files below it. */
  async diff(from: string): Promise<string> {
    const patches: string[] = [];
    for (const { workspace, overlay } of this.#directories.values()) {
      for (const { path, before, after } of await overlay.changes()) {
        const name = shownName(workspace.absolute(path), from);
        const texts = [before, after].map((content) => (content?.kind === 'text' ? content.text : undefined));
        patches.push(
          printUnifiedDiff([
            makeFilePatch({
              ...(before && { oldPath: name }),
              ...(after && { newPath: name }),
              before: texts[0] ?? (before && ''),
              after: texts[1],
            }),
          ]),
        );
      }
    }
    return patches.join('');
  }

  /** Writes the plan, with its journals and backups in `stateDirectory`; returns the changed files. */
  async commit(stateDirectory: string, signal: AbortSignal): Promise<readonly string[]> {
    await this.#backUp(statePlaces.setupBackups(stateDirectory));
    const written: string[] = [];
    for (const { workspace, overlay } of this.#directories.values()) {
      const options = { durability: 'power', onConflict: 'refuse', stateDirectory } as const;
      const outcome = await commitOverlay(workspace, overlay, options, signal);
      const files = (outcome.kind === 'conflict' ? outcome.paths : outcome.written).map((path) =>
        workspace.absolute(path),
      );
      if (outcome.kind === 'conflict') throw new SetupConflict(files);
      written.push(...files);
    }
    return written;
  }

  /** One backup for each file that changes: a file that is removed held our text alone. */
  async #backUp(directory: string): Promise<void> {
    for (const { workspace, overlay } of this.#directories.values()) {
      for (const { path, before, after } of await overlay.changes()) {
        if (before?.kind !== 'text' || after === undefined) continue;
        const file = workspace.absolute(path);
        makePrivateDirectory(directory);
        const key = createHash('sha256').update(file).digest('hex').slice(0, 12);
        await writeFile(join(directory, `${key}-${basename(file)}`), before.text, { mode: 0o600 });
      }
    }
  }

  /** The nearest existing directory; the commit creates those between it and the file. */
  async #directoryOf(real: string): Promise<Directory> {
    let root = dirname(real);
    while (!(await isAccessible(root)) && dirname(root) !== root) root = dirname(root);
    const known = this.#directories.get(root);
    if (known) return known;
    const workspace = await Workspace.open(root);
    const directory = { workspace, overlay: Overlay.on(new Baseline(new DiskSource(workspace))) };
    this.#directories.set(root, directory);
    return directory;
  }
}

/** Follows links, so that the target is changed. */
async function realName(file: string): Promise<string> {
  if (await isAccessible(file)) return realpath(file);
  return dirname(file) === file ? file : join(await realName(dirname(file)), basename(file));
}

export async function isAccessible(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

export async function isDirectory(file: string): Promise<boolean> {
  return stat(file).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

function shownName(file: string, from: string): string {
  const below = relative(from, file);
  return below.startsWith('..') ? file.replace(/^\/+/, '') : below;
}
