/** A git on the search path that notes how often it is started, and with which subcommand. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export class CountedGit {
  /** The environment in which it is found. */
  readonly env: NodeJS.ProcessEnv;
  readonly #notes: string;

  private constructor(directory: string) {
    this.#notes = join(directory, 'git-runs');
    this.env = { ...process.env, PATH: `${directory}:${process.env.PATH}` };
  }

  /** `directory` is made for it. */
  static async in(directory: string): Promise<CountedGit> {
    await mkdir(directory, { recursive: true });
    const counted = new CountedGit(directory);
    const script = `#!/bin/sh
PATH=\${PATH#*:}
for word; do case $word in -*|*=*) ;; *) echo "$word" >> '${counted.#notes}'; break;; esac; done
exec git "$@"
`;
    await writeFile(join(directory, 'git'), script);
    await chmod(join(directory, 'git'), 0o755);
    await writeFile(counted.#notes, '');
    return counted;
  }

  /** The subcommands that were started while `work` ran, sorted. */
  async during(work: () => Promise<unknown>): Promise<readonly string[]> {
    await writeFile(this.#notes, '');
    await work();
    return (await readFile(this.#notes, 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .sort();
  }
}
