/**
 * A directory of TypeScript files under TypeScript's own checker, and what it finds in each file.
 *
 * Invariant: `diagnostics` describe the files as they lie on disk with the given texts in their place.
 */
import { join, relative } from 'node:path';
import { API, type Diagnostic, type Project, type Snapshot } from 'typescript-server/unstable/sync';
import { keptProblems } from './kept-judgement.ts';

export class CheckedWorkspace implements Disposable {
  readonly #root: string;
  readonly #api: API;
  readonly #config: string;
  #texts: ReadonlyMap<string, string> = new Map();
  #snapshot: Snapshot | undefined;

  constructor(root: string, config = 'tsconfig.json') {
    this.#root = root;
    this.#config = join(root, config);
    this.#api = new API({ cwd: root, fs: { readFile: (path) => this.#texts.get(relative(root, path)) } });
  }

  /** The files of the program that lie in the directory, libraries left out. */
  files(): readonly string[] {
    return this.#project()
      .program.getSourceFileNames()
      .map((file) => relative(this.#root, file))
      .filter((file) => !file.startsWith('..') && !file.includes('node_modules') && !file.includes(':'));
  }

  /** Shows these texts instead of what is on disk. */
  show(texts: ReadonlyMap<string, string>): void {
    const changed = [...new Set([...texts.keys(), ...this.#texts.keys()])].map((file) =>
      join(this.#root, file),
    );
    this.#texts = texts;
    const next = this.#api.updateSnapshot({
      openProjects: this.#snapshot ? [] : [this.#config],
      fileChanges: { changed },
    });
    this.#snapshot?.dispose();
    this.#snapshot = next;
  }

  /** What the checker says about a file, one line each. */
  diagnostics(file: string): string {
    const { program } = this.#project();
    const path = join(this.#root, file);
    const found = [program.getSemanticDiagnostics(path), program.getDeclarationDiagnostics(path)].flat();
    return found.map(line).sort().join('\n');
  }

  [Symbol.dispose](): void {
    this.#snapshot?.dispose();
    this.#api.close();
  }

  #project(): Project {
    if (!this.#snapshot) this.show(new Map());
    const project = this.#snapshot?.getProject(this.#config);
    if (!project) throw new Error(`no project at ${this.#config}`);
    return project;
  }
}

function line({ code, pos, text }: Diagnostic): string {
  return `${pos} TS${code} ${text}`;
}

/** What a checker that is started anew finds in each file of a directory, or found in an earlier run. */
export async function checkedFiles(root: string): Promise<ReadonlyMap<string, string>> {
  const problems = await keptProblems({ directory: root, asked: 'each file' }, async () => {
    using checker = new CheckedWorkspace(root);
    const place = { line: 0, column: 0, severity: 'error', code: '' } as const;
    return checker.files().map((path) => ({ ...place, path, message: checker.diagnostics(path) }));
  });
  return new Map(problems.map(({ path, message }) => [path, message]));
}
