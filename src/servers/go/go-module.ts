/**
 * The Go module of a file: that of the nearest `go.mod` above it.
 *
 * Invariant: directories are relative to the workspace, and `.` is its root.
 */
import { dirname, join } from 'node:path';
import { parseWorkspacePath, type WorkspacePath } from '../../workspace/workspace-path.ts';

/** The text shown at a path; undefined if there is no text. */
type TextOf = (path: WorkspacePath) => Promise<string | undefined>;

export class GoModules {
  readonly #text: TextOf;
  readonly #known = new Map<string, Promise<boolean>>();

  constructor(text: TextOf) {
    this.#text = text;
  }

  /** The directory of the file's module; the root if there is none. */
  async of(path: WorkspacePath): Promise<string> {
    let directory = dirname(path);
    while (directory !== '.' && !(await this.#isModule(directory))) directory = dirname(directory);
    return directory;
  }

  #isModule(directory: string): Promise<boolean> {
    const known = this.#known.get(directory);
    if (known) return known;
    const file = parseWorkspacePath(join(directory, 'go.mod'));
    const found = file ? this.#text(file).then((text) => text !== undefined) : Promise.resolve(false);
    this.#known.set(directory, found);
    return found;
  }
}

/** A path relative to the module. */
export function insideModule(path: string, module: string): string {
  return module === '.' ? path : path.slice(module.length + 1);
}
