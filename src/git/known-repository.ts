/**
 * A repository that is asked again and again where it stands.
 *
 * Invariant: what git said of its layout, its settings and the commit that other machines can fetch is used again only while
 * everything it rests on is unchanged, looked at for each question: the entries `.git` on the way to its top, the files of
 * its settings, its head and the references that the answer follows from.
 */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { errnoOf, isMissing } from '../base/errno.ts';
import { stampAt } from '../workspace/file-stamp.ts';
import { GitRepository } from './git-repository.ts';
import type { GitSettings } from './git-settings.ts';
import { type PublishedCommit, publishedCommit } from './published-commit.ts';

export interface RepositoryStand {
  readonly git: GitRepository;
  readonly published: PublishedCommit;
}

interface Layout {
  readonly git: GitRepository;
  readonly settings: GitSettings;
  /** Of this working tree, and of all working trees of the repository. */
  readonly directories: readonly [own: string, common: string];
  readonly print: string;
}

export class KnownRepository {
  readonly #directory: string;
  readonly #env: Environment;
  #layout: Layout | undefined;
  #published: { readonly print: string; readonly answer: PublishedCommit } | undefined;

  /** `directory` lies in its working tree. */
  constructor(directory: string, env: Environment) {
    this.#directory = directory;
    this.#env = env;
  }

  /** The repository, and the newest commit of it that other machines can fetch, as of the call. */
  async stand(signal: AbortSignal): Promise<RepositoryStand> {
    const { git, settings, directories } = await this.#current(signal);
    const print = async (): Promise<string | undefined> => {
      const { version } = await settings.current(signal);
      return version === undefined ? undefined : `${version}\n${referencesPrint(directories)}`;
    };
    const before = await print();
    if (before !== undefined && this.#published?.print === before)
      return { git, published: this.#published.answer };
    const published = await publishedCommit(git, signal);
    // If a reference moved meanwhile, the answer may be that of either state.
    this.#published =
      before !== undefined && before === (await print()) ? { print: before, answer: published } : undefined;
    return { git, published };
  }

  async #current(signal: AbortSignal): Promise<Layout> {
    const known = this.#layout;
    const print = layoutPrint(this.#directory);
    if (known?.print === print) return known;
    this.#published = undefined;
    const found = await GitRepository.at(this.#directory, this.#env, signal);
    const directories = await directoriesOf(found, signal);
    const [own, common] = directories;
    const settingsFiles = [join(common, 'config'), join(own, 'config.worktree')];
    const parts = found.knowing({ index: join(own, 'index'), settingsFiles });
    this.#layout = { ...parts, directories, print };
    return this.#layout;
  }
}

/** Asked at once; a name with a line end in it has to be asked for alone. */
async function directoriesOf(git: GitRepository, signal: AbortSignal): Promise<Layout['directories']> {
  const words = ['rev-parse', '--path-format=absolute', '--absolute-git-dir', '--git-common-dir'] as const;
  const [own, common, ...more] = (await git.text([...words], signal)).replace(/\n$/, '').split('\n');
  if (own !== undefined && common !== undefined && more.length === 0) return [own, common];
  return [await git.directory(signal), await git.commonDirectory(signal)];
}

/** The entries `.git` in a directory and in those above it, by which git finds a repository. */
function layoutPrint(directory: string): string {
  const lines: string[] = [];
  for (let at = directory; ; at = dirname(at)) {
    const entry = join(at, '.git');
    const stats = unlessGone(() => lstatSync(entry));
    const text = stats?.isFile() ? (contentOf(entry) ?? '') : '';
    lines.push(stats ? `${stats.dev} ${stats.ino} ${stats.mode} ${text}` : 'none');
    if (at === dirname(at)) return lines.join('\n');
  }
}

/** Everything that says which commit the head names, which ones the remote has, and what their parents are. */
function referencesPrint([own, common]: Layout['directories']): string {
  const lines: string[] = [];
  let name = 'HEAD';
  for (let depth = 0; depth < 5; depth++) {
    const text = contentOf(join(own, name)) ?? contentOf(join(common, name));
    lines.push(`${name} ${text}`);
    const [, next] = /^ref: (.*?)\s*$/s.exec(text ?? '') ?? [];
    if (next === undefined) break;
    name = next;
  }
  const stamped = ['packed-refs', 'shallow', 'info/grafts', 'reftable/tables.list'];
  for (const file of stamped.map((each) => join(common, each))) lines.push(JSON.stringify(stampAt(file)));
  lines.push(JSON.stringify(stampAt(join(own, 'reftable/tables.list'))));
  for (const directory of ['refs/remotes/origin', 'refs/replace']) listBelow(join(common, directory), lines);
  return lines.join('\n');
}

function listBelow(directory: string, lines: string[]): void {
  const entries = unlessGone(() => readdirSync(directory, { withFileTypes: true })) ?? [];
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) listBelow(path, lines);
    else lines.push(`${path} ${contentOf(path)}`);
  }
}

function contentOf(file: string): string | undefined {
  return unlessGone(() => readFileSync(file, 'utf8'));
}

function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (thrown) {
    if (isMissing(thrown) || errnoOf(thrown) === 'EISDIR') return undefined;
    throw thrown;
  }
}
