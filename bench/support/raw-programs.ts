/**
 * The programs of a workspace, asked by the compiler's API without anything of ours in between: the least that checking one file
 * in every program that holds it can cost.
 *
 * Invariant: the workspace is only read; an edit reaches the programs from memory.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API } from 'typescript-server/unstable/sync';

export class RawPrograms implements Disposable {
  readonly #root: string;
  readonly #configs: readonly string[];
  readonly #texts = new Map<string, string>();
  readonly #api: API;

  private constructor(root: string, configs: readonly string[]) {
    this.#root = root;
    this.#configs = configs.map((config) => join(root, config));
    const readFile = (file: string): string | undefined => this.#texts.get(file);
    this.#api = new API({ cwd: root, fs: { readFile } });
  }

  /** Opens the projects; their configurations are named relative to the root. */
  static open(root: string, configs: readonly string[]): RawPrograms {
    const programs = new RawPrograms(root, configs);
    using _ = programs.#api.updateSnapshot({ openProjects: [...programs.#configs] });
    return programs;
  }

  /** How long an edit of a file takes until it is checked in each program that holds it, in milliseconds. */
  check(path: string, text: string): number {
    const file = join(this.#root, path);
    this.#texts.set(file, text);
    const startedAt = performance.now();
    using snapshot = this.#api.updateSnapshot({ fileChanges: { changed: [file] } });
    for (const config of this.#configs) {
      const program = snapshot.getProject(config)?.program;
      if (!program?.getSourceFileNames().includes(file)) continue;
      program.getSyntacticDiagnostics(file);
      program.getSemanticDiagnostics(file);
      const { declaration, composite } = program.getCompilerOptions();
      if (declaration === true || composite === true) program.getDeclarationDiagnostics(file);
    }
    return performance.now() - startedAt;
  }

  /** How many programs hold a file. */
  holders(path: string): number {
    const file = join(this.#root, path);
    using snapshot = this.#api.updateSnapshot({});
    return this.#configs.filter((config) =>
      snapshot.getProject(config)?.program.getSourceFileNames().includes(file),
    ).length;
  }

  /** Back to what is on disk. */
  revert(path: string): void {
    const file = join(this.#root, path);
    this.#texts.set(file, readFileSync(file, 'utf8'));
    this.#api.updateSnapshot({ fileChanges: { changed: [file] } }).dispose();
  }

  [Symbol.dispose](): void {
    this.#api.close();
  }
}
