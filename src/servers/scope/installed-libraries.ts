/**
 * Which module names refer to installed libraries, as opposed to packages of the workspace and to aliases.
 *
 * Invariant: a name that is installed in any directory above the importer counts, wherever it was installed from.
 */
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { isUnreadable } from '../../base/errno.ts';
import { directoryNames } from '../../workspace/directory-entries.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { parentOf, rootPath, type WorkspacePath } from '../../workspace/workspace-path.ts';

export class InstalledLibraries {
  readonly #workspace: Workspace;
  readonly #installed = new Map<WorkspacePath, ReadonlySet<string>>();
  #above: ReadonlySet<string> | undefined;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  has(specifier: string, from: WorkspacePath): boolean {
    const [first = '', second = ''] = specifier.split('/');
    const isScoped = first.startsWith('@');
    const name = isScoped ? `${first}/${second}` : first;
    const types = `@types/${isScoped ? `${first.slice(1)}__${second}` : first}`;
    for (let directory = from; ; directory = parentOf(directory)) {
      const installed = this.#in(directory);
      if (installed.has(name) || installed.has(types)) return true;
      if (directory === rootPath) break;
    }
    const above = this.#aboveRoot();
    return above.has(name) || above.has(types);
  }

  /** The libraries may be installed above the workspace. */
  #aboveRoot(): ReadonlySet<string> {
    if (this.#above) return this.#above;
    const names = new Set<string>();
    for (let at = this.#workspace.root; dirname(at) !== at; at = dirname(at)) {
      for (const name of this.#namesIn(`${dirname(at)}/node_modules`)) names.add(name);
    }
    this.#above = names;
    return names;
  }

  #in(directory: WorkspacePath): ReadonlySet<string> {
    const known = this.#installed.get(directory);
    if (known) return known;
    const libraries = new Set(this.#namesIn(`${this.#workspace.absolute(directory)}/node_modules`));
    this.#installed.set(directory, libraries);
    return libraries;
  }

  #namesIn(place: string): readonly string[] {
    const names = directoryNames(place).flatMap((name) =>
      name.startsWith('@') ? directoryNames(`${place}/${name}`).map((part) => `${name}/${part}`) : [name],
    );
    return names.filter((name) => !this.#isOwn(`${place}/${name}`));
  }

  /** Whether an installed package is a link to a package of the workspace itself. */
  #isOwn(place: string): boolean {
    try {
      const real = realpathSync(place);
      return real.startsWith(`${this.#workspace.root}/`) && !real.includes('/node_modules/');
    } catch (thrown) {
      if (isUnreadable(thrown)) return false;
      throw thrown;
    }
  }
}
