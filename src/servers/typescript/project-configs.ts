/**
 * Which configurations of a workspace are projects: those that a compiler or an editor opens by itself.
 *
 * A project is a `tsconfig.json` (or `jsconfig.json`), whatever such a project refers to, and what a script of a
 * `package.json` passes to the compiler. A configuration without files of its own, which only refers to others, is
 * none.
 *
 * Invariant: answers are for the last known state of the disk, with an overlay's own configurations applied.
 */

import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { isMissing } from '../../base/errno.ts';
import { fieldOf } from '../../base/record.ts';
import { fieldsOf, parseLooseJson } from '../../graph/reach/keys/loose-json.ts';
import { directoryOf } from '../../graph/reach/reach-family.ts';
import type { LanguageServer } from '../../lsp/language-server.ts';
import type { DiskState } from '../../workspace/disk-state.ts';
import type { FileEvent } from '../../workspace/file-event.ts';
import { listFiles } from '../../workspace/file-walk.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { manifestText } from '../../workspace/workspace-manifest.ts';
import {
  baseName,
  comparePaths,
  parseWorkspacePath,
  type WorkspacePath,
} from '../../workspace/workspace-path.ts';
import { type OverlayEffect, textUnder } from '../projection.ts';
import { LinkedPackages } from './linked-packages.ts';

export class ProjectConfigs {
  readonly #workspace: Workspace;
  /** The configurations on disk with their texts; undefined if they must be searched again. */
  #onDisk: Map<WorkspacePath, string | undefined> | undefined;
  #projects: readonly WorkspacePath[] | undefined;
  /** What the projects on disk extend; undefined if it must be read again. */
  #extended: readonly WorkspacePath[] | undefined;
  #creations = 0;
  /** Grows whenever the configurations must be searched again. */
  #listings = 0;

  constructor(workspace: Workspace, disk: DiskState) {
    this.#workspace = workspace;
    disk.changes.subscribe((events) => this.#receive(events));
  }

  /** Grows whenever a file may have been created on disk. */
  get creations(): number {
    return this.#creations;
  }

  /** The projects of the workspace as an overlay shows it, in the order of their paths. */
  async under(effect: OverlayEffect, signal: AbortSignal): Promise<readonly WorkspacePath[]> {
    const isOwn = [...effect.keys()].some(mayConfigure);
    if (this.#projects && !isOwn) return this.#projects;
    const onDisk = await this.#list(signal);
    const read = this.#reader(effect);
    const shown = [...effect].flatMap(([path, content]) => (content === 'removed' ? [] : [path]));
    const known = [...onDisk.keys(), ...shown.filter(mayConfigure)].filter(
      (path) => effect.get(path) !== 'removed',
    );
    const projects = projectsAmong(new Set(known), read);
    if (!isOwn && onDisk === this.#onDisk) this.#projects = projects;
    return projects;
  }

  /** The configurations of the workspace that its projects extend, transitively. */
  async extendedUnder(effect: OverlayEffect, signal: AbortSignal): Promise<readonly WorkspacePath[]> {
    // What is extended may have any name that ends in `.json`.
    const isOwn = [...effect.keys()].some(isJson);
    if (this.#extended && !isOwn) return this.#extended;
    const read = this.#reader(effect);
    const extended = new Set<WorkspacePath>();
    const bases = (path: WorkspacePath) => basesOf(path, parsed(read(path)), read);
    for (const project of await this.under(effect, signal))
      for (const base of bases(project)) extended.add(base);
    // A Set iterates over elements added during the iteration, so it is its own queue.
    for (const path of extended) for (const base of bases(path)) extended.add(base);
    if (!isOwn) this.#extended = [...extended];
    return [...extended];
  }

  /** The packages that an installation may link from the workspace itself. */
  async linkedPackages(signal: AbortSignal): Promise<LinkedPackages> {
    const listed = [...(await this.#list(signal)).keys()];
    const manifests = listed.filter((path) => baseName(path) === 'package.json');
    const texts = new Map(manifests.map((path) => [path, this.#read(path) ?? '']));
    const read = (path: WorkspacePath) => manifestText(this.#workspace.absolute(path));
    return new LinkedPackages({ texts, read, parse: parsed });
  }

  #reader(effect: OverlayEffect): ReadText {
    return (path) => textUnder(effect, path, (onDisk) => this.#read(onDisk));
  }

  #receive(events: readonly FileEvent[]): void {
    if (events.length === 0 || events.some(({ kind }) => kind === 'created')) this.#creations += 1;
    // Creating or deleting a directory may add or remove configurations; an empty batch means that events were lost.
    const isLost =
      events.length === 0 || events.some(({ path, kind }) => kind !== 'changed' && !hasDot(path));
    if (isLost || events.some(({ path }) => isJson(path))) this.#extended = undefined;
    const concerned = events.filter(({ path }) => mayConfigure(path));
    if (!isLost && concerned.length === 0) return;
    this.#projects = undefined;
    if (isLost || concerned.some(({ kind }) => kind !== 'changed')) {
      this.#onDisk = undefined;
      this.#listings += 1;
    } else for (const { path } of concerned) this.#onDisk?.set(path, undefined);
  }

  async #list(signal: AbortSignal): Promise<ReadonlyMap<WorkspacePath, string | undefined>> {
    while (!this.#onDisk) {
      const before = this.#listings;
      const paths = await listFiles(this.#workspace, { matches: isConfigName }, signal);
      // A configuration that came meanwhile may lie in a directory that was read before.
      if (this.#listings === before) this.#onDisk = new Map(paths.map((path) => [path, undefined]));
    }
    return this.#onDisk;
  }

  #read(path: WorkspacePath): string | undefined {
    const known = this.#onDisk?.get(path);
    if (known !== undefined) return known;
    try {
      const text = readFileSync(this.#workspace.absolute(path), 'utf8');
      // Events of other files are not relevant.
      if (this.#onDisk?.has(path)) this.#onDisk.set(path, text);
      return text;
    } catch (thrown) {
      if (isMissing(thrown)) return undefined;
      throw thrown;
    }
  }
}

/** Whether a file could be a project's configuration, or name one. */
export function mayConfigure(path: string): boolean {
  return isConfigName(baseName(path));
}

/** Whether a file is a configuration by its name, and nothing else; a manifest says how names are resolved as well. */
export function isConfiguration(path: string): boolean {
  return /(?:^|\/)[jt]sconfig[^/]*\.json$/.test(path);
}

function isJson(path: string): boolean {
  return /\.json$/i.test(path);
}

function isConfigName(name: string): boolean {
  return isJson(name) && (/^(?:ts|js)config\b/i.test(name) || name === 'package.json');
}

function hasDot(path: string): boolean {
  return baseName(path).includes('.');
}

type ReadText = (path: WorkspacePath) => string | undefined;

function projectsAmong(known: ReadonlySet<WorkspacePath>, read: ReadText): readonly WorkspacePath[] {
  const opened = new Set<WorkspacePath>();
  const open = (targets: Iterable<string>, from: WorkspacePath): void => {
    for (const target of targets) {
      const found = configAt(posix.join(directoryOf(from), target), known);
      if (found) opened.add(found);
    }
  };
  for (const path of known) {
    if (isOpenedByItself(path, known)) opened.add(path);
    if (baseName(path) === 'package.json') open(handedToCompiler(parsed(read(path))), path);
  }
  const projects: WorkspacePath[] = [];
  // A Set iterates over elements added during the iteration, so it is its own queue.
  for (const path of opened) {
    const config = parsed(read(path));
    open(referencesOf(config), path);
    if (!holdsOnlyReferences(config)) projects.push(path);
  }
  return projects.sort(comparePaths);
}

/** The configurations that servers open by themselves. */
function isOpenedByItself(path: WorkspacePath, known: ReadonlySet<WorkspacePath>): boolean {
  const name = baseName(path);
  return name === 'tsconfig.json' || (name === 'jsconfig.json' && !known.has(beside(path, 'tsconfig.json')));
}

/** Whether it is a solution, which checks no file itself. */
function holdsOnlyReferences(config: unknown): boolean {
  return referencesOf(config).length > 0 && isEmptyList(fieldOf(config, 'files')) && !hasInclude(config);
}

function beside(path: WorkspacePath, name: string): WorkspacePath {
  return posix.join(directoryOf(path), name) as WorkspacePath;
}

/** The configuration a reference or an argument means: a file, or the one of that name in a directory. */
function configAt(place: string, known: ReadonlySet<WorkspacePath>): WorkspacePath | undefined {
  return [place, `${place}.json`, posix.join(place, 'tsconfig.json')]
    .map(parseWorkspacePath)
    .find((path) => path !== undefined && known.has(path));
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return parseLooseJson(text);
  } catch {
    // The compiler tolerates the error and reports it; the references of the configuration are unknown here.
    return undefined;
  }
}

/** What a configuration extends by a path; packages are no part of the workspace. */
function basesOf(path: WorkspacePath, config: unknown, read: ReadText): readonly WorkspacePath[] {
  return [fieldOf(config, 'extends')].flat().flatMap((target) => {
    if (typeof target !== 'string' || !target.startsWith('.')) return [];
    const place = posix.join(directoryOf(path), target);
    const names = place.endsWith('.json') ? [place] : [`${place}.json`];
    return names.flatMap((name) => parseWorkspacePath(name) ?? []).filter((base) => read(base) !== undefined);
  });
}

function referencesOf(config: unknown): readonly string[] {
  const references = fieldOf(config, 'references');
  if (!Array.isArray(references)) return [];
  return references.map((each) => fieldOf(each, 'path')).filter((path) => typeof path === 'string');
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function hasInclude(config: unknown): boolean {
  return fieldOf(config, 'include') !== undefined;
}

/** The projects that the scripts of a package pass to the compiler. */
function handedToCompiler(manifest: unknown): readonly string[] {
  return fieldsOf(fieldOf(manifest, 'scripts')).flatMap(([, script]) => {
    if (typeof script !== 'string') return [];
    return script
      .split(/&&|\|\||[;|&]/)
      .filter((command) => /(?:^|[\s/])(?:vue-)?tsc(?:\s|$)/.test(command))
      .flatMap((command) =>
        [...command.matchAll(/\s(?:-p|--project|-b|--build)[\s=]+(?:"([^"]+)"|'([^']+)'|([^\s-]\S*))/g)].map(
          ([, double, single, bare]) => double ?? single ?? bare ?? '',
        ),
      );
  });
}

/** Whether the server has a project for an open document. */
export async function isTakenIn(
  server: Pick<LanguageServer, 'request'>,
  uri: string,
  signal: AbortSignal,
): Promise<boolean> {
  const unlimited = { timeoutMs: Number.POSITIVE_INFINITY };
  const answer = await server.request('custom/projectInfo', { textDocument: { uri } }, unlimited, signal);
  return fieldOf(answer, 'configFilePath') !== '';
}
