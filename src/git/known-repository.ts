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
import { stampAt } from '../workspace/disk-state.ts';
import { GitRepository } from './git-repository.ts';
import { isObjectId } from './object-id.ts';
import { type PublishedCommit, publishedCommit } from './published-commit.ts';

export interface RepositoryStand {
  readonly git: GitRepository;
  readonly published: PublishedCommit;
}

interface Layout {
  readonly git: GitRepository;
  readonly print: string;
}

export class KnownRepository {
  readonly #directory: string;
  readonly #env: Environment;
  #layout: Layout | undefined;
  #published: { readonly print: string; readonly answer: PublishedCommit } | undefined;
  /** Where workers fetch from, which follows from the settings alone. */
  #remote: { readonly version: number; readonly address: string } | undefined;

  /** `directory` lies in its working tree. */
  constructor(directory: string, env: Environment) {
    this.#directory = directory;
    this.#env = env;
  }

  /** The repository, and the newest commit of it that other machines can fetch, as of the call. */
  async stand(signal: AbortSignal): Promise<RepositoryStand> {
    const git = await this.#current(signal);
    const { settings } = git;
    const { version } = await settings.current(signal);
    if (version === undefined) return { git, published: await publishedCommit(git, signal) };
    const references = readReferences(git);
    const print = `${version}\n${references.print}`;
    if (this.#published?.print === print) return { git, published: this.#published.answer };
    const head = headCommit(references);
    // The usual place to be: where a branch of the remote is.
    const isTip = head !== undefined && this.#remote?.version === version && isRemoteTip(head, references);
    const answer = isTip
      ? { remote: this.#remote?.address ?? '', commit: head }
      : await publishedCommit(git, signal);
    this.#remote = { version, address: answer.remote };
    // If something moved meanwhile, the answer may be that of either state.
    const isSame =
      (await settings.current(signal)).version === version && readReferences(git).print === references.print;
    this.#published = isSame ? { print, answer } : undefined;
    return { git, published: answer };
  }

  async #current(signal: AbortSignal): Promise<GitRepository> {
    const known = this.#layout;
    const print = layoutPrint(this.#directory);
    if (known?.print === print) return known.git;
    this.#published = undefined;
    this.#remote = undefined;
    const git = (await GitRepository.at(this.#directory, this.#env, signal)).keepingBlobs();
    this.#layout = { git, print };
    return git;
  }
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

interface References {
  /** Everything that says which commit the head names, which ones the remote has, and what their parents are. */
  readonly print: string;
  /** What the head leads to: a reference, and the text of its file if there is one. */
  readonly head: { readonly name: string; readonly text: string | undefined };
  /** The texts of the files below `refs/remotes/origin`, by their names. */
  readonly loose: ReadonlyMap<string, string>;
  readonly packed: string;
}

function readReferences({ gitDirectory: own, commonDirectory: common }: GitRepository): References {
  const lines: string[] = [];
  const textOf = (name: string) => contentOf(join(own, name)) ?? contentOf(join(common, name));
  let head: References['head'] = { name: 'HEAD', text: textOf('HEAD') };
  for (let depth = 0; depth < 5; depth++) {
    lines.push(`${head.name} ${head.text}`);
    const [, name] = /^ref: (.*?)\s*$/s.exec(head.text ?? '') ?? [];
    if (name === undefined) break;
    head = { name, text: textOf(name) };
  }
  const stamped = ['packed-refs', 'shallow', 'info/grafts', 'reftable/tables.list'];
  for (const file of stamped.map((each) => join(common, each))) lines.push(JSON.stringify(stampAt(file)));
  lines.push(JSON.stringify(stampAt(join(own, 'reftable/tables.list'))));
  const loose = new Map<string, string>();
  for (const directory of [remoteReferences, 'refs/replace']) readBelow(common, directory, loose);
  for (const [name, text] of loose) lines.push(`${name} ${text}`);
  return {
    print: lines.join('\n'),
    head,
    loose,
    packed: join(common, 'packed-refs'),
  };
}

const remoteReferences = 'refs/remotes/origin';

/** Undefined if only git can say. */
function headCommit({ head: { name, text }, packed }: References): string | undefined {
  const lines = text === undefined ? (contentOf(packed) ?? '').split('\n') : [];
  const commit = text?.trim() ?? lines.find((line) => line.endsWith(` ${name}`))?.slice(0, -name.length - 1);
  return commit !== undefined && isObjectId(commit) ? commit : undefined;
}

/** Whether a branch of the remote is at a commit. A reference that is packed counts only if there is no file of it. */
function isRemoteTip(commit: string, { loose, packed }: References): boolean {
  for (const [name, text] of loose)
    if (name.startsWith(`${remoteReferences}/`) && text.trim() === commit) return true;
  const tips = (contentOf(packed) ?? '').split('\n').filter((line) => line.startsWith(`${commit} `));
  return tips.some((line) => {
    const name = line.slice(commit.length + 1);
    return name.startsWith(`${remoteReferences}/`) && !loose.has(name);
  });
}

function readBelow(common: string, directory: string, found: Map<string, string>): void {
  const entries = unlessGone(() => readdirSync(join(common, directory), { withFileTypes: true })) ?? [];
  for (const entry of entries) {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory()) readBelow(common, path, found);
    else found.set(path, contentOf(join(common, path)) ?? '');
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
