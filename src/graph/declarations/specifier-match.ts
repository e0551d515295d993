/**
 * Which files a module specifier may refer to.
 *
 * Only relative specifiers are resolved, and only if the file they name exists: TypeScript prefers it to other
 * options of the configuration (`rootDirs`, the `types` of a directory). Files that begin with the same path stay
 * possible, because `moduleSuffixes` and declaration files take precedence if they exist.
 *
 * Invariant: a file that a specifier resolves to is never excluded.
 */
import { parseWorkspacePath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { withoutSourceExtension } from '../reach/keys/ecmascript-path.ts';
import { directoryOf } from '../reach/reach-family.ts';

export class SpecifierMatch {
  readonly #exists: (path: string) => boolean;
  /** The common prefix of the paths that a specifier may refer to; undefined if it may be any. */
  readonly #beginnings = new Map<string, string | undefined>();

  /** `exists` covers every file of the workspace, including manifests of packages. */
  constructor(exists: (path: string) => boolean) {
    this.#exists = exists;
  }

  /** Whether a specifier may refer to a file; without a file, to one outside the workspace. */
  mayBe(importer: WorkspacePath, specifier: string, file: WorkspacePath | undefined): boolean {
    // Node's own modules may be augmented, but no file of the workspace implements them.
    if (specifier.startsWith('node:')) return file === undefined;
    const directory = directoryOf(importer);
    const key = `${directory}\n${specifier}`;
    if (!this.#beginnings.has(key)) this.#beginnings.set(key, this.#beginning(directory, specifier));
    const beginning = this.#beginnings.get(key);
    return beginning === undefined || (file?.startsWith(beginning) ?? false);
  }

  #beginning(directory: string, specifier: string): string | undefined {
    if (!/^\.\.?(?:\/|$)/.test(specifier)) return undefined;
    const target = parseWorkspacePath(`${directory}/${specifier}`.replace(/^\//, ''));
    if (target === undefined) return undefined;
    const stem = /\/$|(?:^|\/)\.\.?$/.test(specifier) ? target : withoutSourceExtension(target);
    if (stem !== '' && extensions.some((extension) => this.#exists(`${stem}${extension}`))) return stem;
    const below = stem === '' ? '' : `${stem}/`;
    const isIndex = extensions.some((extension) => this.#exists(`${below}index${extension}`));
    return isIndex && !this.#exists(`${below}package.json`) ? stem : undefined;
  }
}

const extensions = ['.ts', '.tsx', '.d.ts', '.mts', '.d.mts', '.cts', '.d.cts'];
