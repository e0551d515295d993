import { mkdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DeclarationIndex } from '../../src/graph/declarations/declaration-index.ts';
import type { EditProof } from '../../src/graph/declarations/edit-proof.ts';
import { isTypeScript, loadParser } from '../../src/graph/declarations/syntax-tree.ts';
import type { WorkspacePath } from '../../src/workspace/workspace-path.ts';
import { declarationFiles } from '../support/declaration-files.ts';
import { type DeclarationProgram, declarationPrograms } from '../support/declaration-programs.ts';
import { writeFiles } from '../support/directory-files.ts';
import { packagePrograms } from '../support/package-programs.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { rounds } from '../support/soak.ts';
import { mutate } from '../support/syntax-mutation.ts';
import { CheckedWorkspace, checkedFiles } from '../support/truth/checked-workspace.ts';

const mutationsEach = 60;
const programs = [...declarationPrograms, ...packagePrograms];

/** A program with its proofs on one side and TypeScript's checker on the other. */
class ProofTrial implements AsyncDisposable {
  readonly files: ReadonlyMap<string, string>;
  readonly #scratch: ScratchWorkspace;
  readonly #checker: CheckedWorkspace;
  readonly #index: DeclarationIndex;
  readonly #members: readonly string[];
  readonly #before: ReadonlyMap<string, string>;

  private constructor(program: DeclarationProgram, scratch: ScratchWorkspace) {
    this.files = new Map(Object.entries(program.files));
    this.#scratch = scratch;
    this.#checker = new CheckedWorkspace(scratch.workspace.root);
    this.#members = this.#checker.files();
    this.#before = new Map(this.#members.map((file) => [file, this.#checker.diagnostics(file)]));
    this.#index = new DeclarationIndex(declarationFiles(this.files, scratch.workspace.root));
  }

  static async open(program: DeclarationProgram): Promise<ProofTrial> {
    const scratch = await ScratchWorkspace.create(program.files);
    for (const [link, target] of Object.entries(program.links ?? {})) {
      await mkdir(dirname(scratch.at(link)), { recursive: true });
      await symlink(target, scratch.at(link));
    }
    return new ProofTrial(program, scratch);
  }

  errors(): string {
    return [...this.#before.values()].filter((found) => found !== '').join('\n');
  }

  prove(path: string, after: string): Promise<EditProof> {
    const change = { before: this.files.get(path), after };
    const { signal } = new AbortController();
    return this.#index.prove(new Map([[path as WorkspacePath, change]]), new Map(), signal);
  }

  /** The other files for which the checker says something else after the edit. */
  affected(path: string, after: string): readonly string[] | 'other files' {
    this.#checker.show(new Map([[path, after]]));
    if (this.#checker.files().join() !== this.#members.join()) return 'other files';
    return this.#members.filter(
      (file) => file !== path && this.#checker.diagnostics(file) !== this.#before.get(file),
    );
  }

  /**
   * Whether each file for which the checker says something else when a file comes, or goes for no text, is among those named; by
   * a checker that has the file on disk, or has it no longer.
   */
  async checkPassing(path: string, text: string | undefined): Promise<'none' | 'other files' | 'proved'> {
    const before = this.files.get(path);
    const { signal } = new AbortController();
    const proof = await this.#index.prove(
      new Map([[path as WorkspacePath, { before, after: text }]]),
      new Map(),
      signal,
    );
    if (proof.kind === 'none') return 'none';
    if (text === undefined) await rm(this.#scratch.at(path));
    else await writeFiles(this.#scratch.workspace.root, { [path]: text });
    try {
      const found = await checkedFiles(this.#scratch.workspace.root);
      const others = (files: readonly string[]) => files.filter((file) => file !== path);
      const members = others([...found.keys()]);
      if (members.join() !== others(this.#members).join()) return 'other files';
      const affected = members.filter((file) => found.get(file) !== this.#before.get(file));
      const named: readonly string[] = proof.kind === 'names' ? proof.files : [];
      const missed = affected.filter((file) => !named.includes(file));
      expect(missed, `${path} ${text === undefined ? 'goes' : `comes as\n${text}`}`).toEqual([]);
      return 'proved';
    } finally {
      if (before === undefined) await rm(this.#scratch.at(path));
      else await writeFiles(this.#scratch.workspace.root, { [path]: before });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#checker[Symbol.dispose]();
    await this.#scratch[Symbol.asyncDispose]();
  }
}

/** Checks the proof of one edit, and says which other files the checker sees it in. */
async function check(trial: ProofTrial, path: string, after: string): Promise<readonly string[]> {
  const proof = await trial.prove(path, after);
  const affected = proof.kind === 'none' ? [] : trial.affected(path, after);
  if (affected === 'other files') return [];
  const named: readonly string[] = proof.kind === 'names' ? proof.files : [];
  const missed = affected.filter((file) => !named.includes(file));
  expect(missed, `${path} became\n${after}`).toEqual([]);
  return affected;
}

describe('a file whose diagnostics change is among those named', () => {
  test.each(programs)('$about', async (program) => {
    await using trial = await ProofTrial.open(program);
    expect(trial.errors()).toBe('');
    const { path, from, to } = program.breaking;
    const after = trial.files.get(path)?.replace(from, to) ?? '';
    expect(await check(trial, path, after)).not.toEqual([]);
  });
});

describe('and so it is when a file comes or goes', () => {
  /** Names beside a file: one of its own, that of another extension, and what stands for a directory. */
  const namesBeside = (path: string, at: number): readonly string[] => [
    join(dirname(path), `fresh${at}.ts`),
    path.replace(/(?:\.d)?\.[^./]+$/, '.d.ts'),
    path.replace(/(?:\.d)?\.[^./]+$/, '.test.ts'),
    join(path.replace(/(?:\.d)?\.[^./]+$/, ''), 'index.ts'),
    join(dirname(path), 'index.ts'),
  ];

  test.each(programs)('$about', async (program) => {
    await using trial = await ProofTrial.open(program);
    const random = SeededRandom.fromEnvironment();
    const sources = [...trial.files].filter(
      ([path]) => isTypeScript(path) && !path.includes('node_modules/'),
    );
    for (let round = 0; round < rounds({ everyRun: 10, soak: 300 }); round += 1) {
      const [path, text] = sources[random.below(sources.length)] ?? ['', ''];
      const beside = namesBeside(path, round);
      const passing = [path, ...beside][random.below(beside.length + 1)] ?? path;
      if (passing === path) await trial.checkPassing(path, undefined);
      else if (!trial.files.has(passing)) await trial.checkPassing(passing, text);
    }
    // What no other file looks for has a proof, unless the program says something to all of its files.
    const outcome = await trial.checkPassing('unheard-of.ts', 'export const unheardOf: number = 1;\n');
    expect(outcome).toBe('proved');
  });
});

describe('and so it is after whatever edit', () => {
  test.each(programs)('$about', async (program) => {
    await using trial = await ProofTrial.open(program);
    const random = SeededRandom.fromEnvironment();
    const sources = [...trial.files].filter(
      ([path]) => isTypeScript(path) && !path.includes('node_modules/'),
    );
    const parse = await loadParser();
    for (let round = 0; round < mutationsEach; round += 1) {
      const [path, text] = sources[random.below(sources.length)] ?? ['', ''];
      const after = mutate({ path, text }, parse, random);
      if (after !== undefined) await check(trial, path, after);
    }
  });
});
