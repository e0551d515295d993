/**
 * What an engine has made of the beginning of a prompt in an earlier run on this machine: every conversation of the tests begins
 * with the same system prompt and the same tool, and to evaluate them takes a third of what the model takes in all.
 *
 * Invariant: a state is loaded only for the same tokens. It is what the engine held in memory, bit for bit, so that an answer does
 * not show whether it was loaded. `npm run test:soak` evaluates every prompt anew.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSoak } from './soak.ts';

/** As much as is used here of what an engine can do with its state. */
export interface StoredState {
  saveStateToFile(file: string): Promise<unknown>;
  loadStateFromFile(file: string, risk: { readonly acceptRisk: true }): Promise<void>;
}

/** A state takes 11 MB, and one is made for every change of the system prompt. */
const mostStates = 3;

export class KeptPrefixes {
  readonly #model: string;
  readonly #directory: string;

  /** Beside the model: another model is put into a directory of its own. */
  constructor(model: string) {
    this.#model = model;
    this.#directory = join(model, 'states');
  }

  /** Has the engine hold the tokens if they are kept; answers whether it does. */
  async load(engine: StoredState, tokens: readonly number[]): Promise<boolean> {
    const file = this.#fileOf(tokens);
    if (isSoak() || !existsSync(file)) return false;
    await engine.loadStateFromFile(file, { acceptRisk: true });
    return true;
  }

  /** Keeps what the engine holds, which must be these tokens. */
  async keep(engine: StoredState, tokens: readonly number[]): Promise<void> {
    if (isSoak() || !(await isWritable(this.#model))) return;
    await mkdir(this.#directory, { recursive: true });
    const file = this.#fileOf(tokens);
    const unfinished = `${file}.${process.pid}`;
    await engine.saveStateToFile(unfinished);
    await rename(unfinished, file);
    await this.#removeOldest();
  }

  #fileOf(tokens: readonly number[]): string {
    return join(this.#directory, createHash('sha256').update(tokens.join(' ')).digest('hex'));
  }

  async #removeOldest(): Promise<void> {
    const files = (await readdir(this.#directory)).map((name) => join(this.#directory, name));
    const aged = await Promise.all(files.map(async (file) => ({ file, age: -(await stat(file)).mtimeMs })));
    for (const { file } of aged.sort((a, b) => a.age - b.age).slice(mostStates))
      await rm(file, { force: true });
  }
}

/** Another user may have installed the model. */
function isWritable(directory: string): Promise<boolean> {
  return access(directory, constants.W_OK).then(
    () => true,
    () => false,
  );
}
