/**
 * The programs that a repository and its user configure, listed once and again when a file that names them has changed.
 *
 * Invariant: a list is used again only if every file that git takes settings from is unchanged, looked at for each
 * question. Where one includes others, which may come and go, it is made anew each time.
 */
import { isAbsolute, join } from 'node:path';
import { programOverrides, runGit } from '../process/git-command.ts';
import { type FileStamp, isSameStamp, stampAt } from '../workspace/disk-state.ts';

export interface CurrentSettings {
  /** Options that switch the configured programs off; undefined if the settings cannot be listed. */
  readonly overrides: readonly string[] | undefined;
  /** Another one for other settings; undefined if a change might go unnoticed. */
  readonly version: number | undefined;
}

export interface SettingsPlace {
  /** Where git runs, and the environment it runs in. */
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  /** The files of the repository that hold settings or lead to them, whether they exist or not. */
  readonly files: readonly string[];
}

interface Listed extends CurrentSettings {
  readonly stamps: ReadonlyMap<string, FileStamp | undefined>;
}

export class GitSettings {
  readonly #place: SettingsPlace;
  #listed: Listed | undefined;
  #listing: Promise<CurrentSettings> | undefined;
  #version = 0;

  constructor(place: SettingsPlace) {
    this.#place = place;
  }

  async current(signal: AbortSignal): Promise<CurrentSettings> {
    const known = this.#unchanged();
    if (known) return known;
    if (this.#listing) {
      // Questions that are asked at once are answered by one list. Its failure is that of the one who began it.
      await this.#listing.catch(() => undefined);
      signal.throwIfAborted();
      const listed = this.#unchanged();
      if (listed) return listed;
    }
    const listing = this.#list(signal);
    this.#listing = listing;
    return await listing.finally(() => {
      if (this.#listing === listing) this.#listing = undefined;
    });
  }

  #unchanged(): Listed | undefined {
    const known = this.#listed;
    const isUnchanged =
      known && [...known.stamps].every(([file, stamp]) => isSameStamp(stamp, stampAt(file), file));
    return isUnchanged ? known : undefined;
  }

  async #list(signal: AbortSignal): Promise<CurrentSettings> {
    const { directory, env } = this.#place;
    // Taken before the list, so that a change in between is noticed next time.
    const early = stampsOf(this.#usualFiles());
    const words = ['config', '--list', '--show-origin', '--name-only', '-z'] as const;
    const { code, stdout } = await runGit({ words: [...words], directory, env, ...limits }, signal);
    const fields = code === 0 ? stdout.split('\0') : [];
    const names = fields.filter((_, index) => index % 2 === 1);
    const overrides = code === 0 ? programOverrides(names) : undefined;
    if (overrides === undefined || names.some((name) => /^include(?:if)?\./i.test(name)))
      return { overrides, version: undefined };
    const origins = fields.flatMap((field, index) => (index % 2 === 0 ? fileOf(field, directory) : []));
    if (origins.some((file) => !early.has(file))) return { overrides, version: undefined };
    this.#version += 1;
    this.#listed = { overrides, version: this.#version, stamps: early };
    return this.#listed;
  }

  /** Those of the repository, the user and the system. */
  #usualFiles(): readonly string[] {
    const { env, files } = this.#place;
    const home = env.HOME ? [join(env.HOME, '.gitconfig')] : [];
    const config = env.XDG_CONFIG_HOME || (env.HOME && join(env.HOME, '.config'));
    return [...files, ...home, ...(config ? [join(config, 'git', 'config')] : []), '/etc/gitconfig'];
  }
}

const limits = { timeoutMs: 60_000, maxOutputBytes: 16 * 2 ** 20 };

function stampsOf(files: readonly string[]): Listed['stamps'] {
  return new Map(files.map((file) => [file, stampAt(file)]));
}

/** Of `file:<path>`; settings of our own command line come from no file. */
function fileOf(origin: string, directory: string): readonly string[] {
  const [, path] = /^file:(.*)$/s.exec(origin) ?? [];
  if (path === undefined) return [];
  return [isAbsolute(path) ? path : join(directory, path)];
}
