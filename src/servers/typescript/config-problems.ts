/**
 * Problems of projects as a whole, reported at the configuration that causes them.
 *
 * A project that extends another configuration repeats its problems, and the compiler reports them at the extended
 * file.
 *
 * Invariant: a problem is reported at one configuration; if its own file is outside the workspace, at the project's.
 */
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { ApiDiagnostic } from './api-session.ts';

interface ConfiguredProgram {
  readonly config: WorkspacePath;
}

export class ConfigProblems<Program extends ConfiguredProgram> {
  readonly #ask: (program: Program, signal: AbortSignal) => Promise<readonly ApiDiagnostic[]>;
  /** Each program is queried once, however many configurations are requested. */
  readonly #asked = new Map<Program, Promise<readonly ApiDiagnostic[]>>();

  constructor(ask: (program: Program, signal: AbortSignal) => Promise<readonly ApiDiagnostic[]>) {
    this.#ask = ask;
  }

  /** The problems at one configuration; `places` are all configurations by absolute path. */
  async at(
    config: WorkspacePath,
    context: {
      readonly programs: readonly Program[];
      readonly places: ReadonlyMap<string, WorkspacePath>;
    },
    signal: AbortSignal,
  ): Promise<readonly ApiDiagnostic[]> {
    const { programs, places } = context;
    const found = await Promise.all(
      programs.map(async (program) => {
        const problems = await this.#of(program, signal);
        return problems.filter(({ fileName = '' }) => (places.get(fileName) ?? program.config) === config);
      }),
    );
    return found.flat();
  }

  #of(program: Program, signal: AbortSignal): Promise<readonly ApiDiagnostic[]> {
    const known = this.#asked.get(program);
    if (known) return known;
    const asked = this.#ask(program, signal);
    this.#asked.set(program, asked);
    // A request that was aborted is repeated by the next caller.
    asked.catch(() => this.#asked.delete(program));
    return asked;
  }
}
