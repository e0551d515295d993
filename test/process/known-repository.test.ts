import { appendFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listedFiles } from '../../src/git/file-state.ts';
import { KnownRepository } from '../../src/git/known-repository.ts';
import { CountedGit } from '../support/counted-git.ts';
import { GitWorkspace, gitIn } from '../support/git-workspace.ts';
import { calm } from '../support/world.ts';

/** A clone of a repository with two commits, asked through a git that counts. */
class Trial implements AsyncDisposable {
  readonly clone: string;
  readonly git: CountedGit;
  readonly known: KnownRepository;
  readonly #place: string;
  readonly #source: GitWorkspace;

  private constructor(place: string, source: GitWorkspace, git: CountedGit) {
    this.#place = place;
    this.#source = source;
    this.git = git;
    this.clone = join(place, 'clone');
    this.known = new KnownRepository(this.clone, { ...git.env, HOME: join(place, 'home') });
  }

  static async open(): Promise<Trial> {
    const place = await realpath(await mkdtemp(join(tmpdir(), 'forerun-known-')));
    const source = await GitWorkspace.create({ 'a.txt': 'one\n' });
    await source.write('a.txt', 'two\n');
    await source.git('commit', '-q', '-am', 'two');
    await gitIn(place, 'clone', '-q', source.root, join(place, 'clone'));
    await mkdir(join(place, 'home'));
    return new Trial(place, source, await CountedGit.in(join(place, 'bin')));
  }

  get home(): string {
    return join(this.#place, 'home');
  }

  readonly in = (...words: readonly string[]): Promise<string> => gitIn(this.clone, ...words);

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#source[Symbol.asyncDispose]();
    await rm(this.#place, { recursive: true, force: true });
  }
}

describe('where a repository stands', () => {
  test('is asked once while nothing changes', async () => {
    await using trial = await Trial.open();
    const first = await trial.known.stand(calm);
    expect(await trial.git.during(() => trial.known.stand(calm))).toEqual([]);
    expect((await trial.known.stand(calm)).published).toEqual(first.published);
    // Neither the settings nor the place of the index is asked for again.
    expect(await trial.git.during(() => listedFiles(first.git, calm))).toEqual(['ls-files']);
  });

  test.each<[string, (trial: Trial) => Promise<unknown>]>([
    ['a commit is checked out', ({ in: git }) => git('checkout', '-q', '--detach', 'HEAD~1')],
    ['a commit is made', ({ in: git }) => git('commit', '-q', '--allow-empty', '-m', 'own')],
    [
      'a branch is made that the head does not name',
      ({ in: git }) => git('update-ref', 'refs/remotes/origin/other', 'HEAD'),
    ],
    [
      'a branch of the remote is moved back',
      ({ in: git }) => git('update-ref', 'refs/remotes/origin/main', 'HEAD~1'),
    ],
    ['references are packed', ({ in: git }) => git('pack-refs', '--all')],
    [
      'the remote gets another address',
      ({ in: git }) => git('remote', 'set-url', 'origin', 'https://git.example/x'),
    ],
    [
      'the user configures something',
      ({ home }) => writeFile(join(home, '.gitconfig'), '[user]\n\tname = x\n'),
    ],
    ['a parent is replaced', ({ in: git }) => git('replace', '--graft', 'HEAD')],
  ])('is asked again when %s', async (_, change) => {
    await using trial = await Trial.open();
    await trial.known.stand(calm);
    await change(trial);
    const fresh = new KnownRepository(trial.clone, trial.git.env);
    expect((await trial.known.stand(calm)).published).toEqual((await fresh.stand(calm)).published);
  });

  test('a commit that is not pushed leaves the one that was; pushed, it is the newest', async () => {
    await using trial = await Trial.open();
    const { published } = await trial.known.stand(calm);
    await trial.in('commit', '-q', '--allow-empty', '-m', 'own');
    expect((await trial.known.stand(calm)).published).toEqual(published);
    const own = (await trial.in('rev-parse', 'HEAD')).trim();
    await trial.in('update-ref', 'refs/remotes/origin/pushed', 'HEAD');
    expect((await trial.known.stand(calm)).published.commit).toBe(own);
    await trial.in('pack-refs', '--all');
    await trial.in('update-ref', '-d', 'refs/remotes/origin/pushed');
    expect((await trial.known.stand(calm)).published).toEqual(published);
  });

  test('a commit that is a branch of the remote is found without git, loose or packed', async () => {
    await using trial = await Trial.open();
    await trial.known.stand(calm);
    const head = async () => (await trial.in('rev-parse', 'HEAD')).trim();
    const stand = async () => (await trial.known.stand(calm)).published.commit;
    await trial.in('commit', '-q', '--allow-empty', '-m', 'own');
    await trial.in('update-ref', 'refs/remotes/origin/deep/name', 'HEAD');
    expect(await trial.git.during(stand)).toEqual([]);
    expect(await stand()).toBe(await head());
    await trial.in('pack-refs', '--all');
    expect(await trial.git.during(stand)).toEqual([]);
    expect(await stand()).toBe(await head());
    // The packed value is not that of the reference any more.
    await trial.in('update-ref', 'refs/remotes/origin/deep/name', 'HEAD~1');
    expect(await stand()).toBe((await trial.in('rev-parse', 'HEAD~1')).trim());
  });

  test('another repository in its place is another repository', async () => {
    await using trial = await Trial.open();
    const { published } = await trial.known.stand(calm);
    await rm(join(trial.clone, '.git'), { recursive: true });
    await trial.in('init', '-q', '-b', 'main');
    await trial.in('commit', '-q', '--allow-empty', '-m', 'other');
    const other = await trial.known.stand(calm);
    expect(other.published).toEqual({
      remote: join(trial.clone, '.git'),
      commit: (await trial.in('rev-parse', 'HEAD')).trim(),
    });
    expect(other.published).not.toEqual(published);
  });

  test('a filter that is configured later is switched off, also where it is included', async () => {
    await using trial = await Trial.open();
    const { git } = await trial.known.stand(calm);
    const ran = join(trial.home, 'ran');
    const filter = (name: string) => `[filter "${name}"]\n\tclean = touch ${ran}; cat\n`;
    const config = join(trial.clone, '.git', 'config');
    await writeFile(join(trial.clone, '.gitattributes'), 'a.txt filter=own\nb.txt filter=included\n');
    await appendFile(config, filter('own'));
    const look = async () => {
      await writeFile(join(trial.clone, 'a.txt'), `${Math.random()}\n`);
      // It compares contents, as no command of ours does: what is off is seen by its absence.
      await git.text(['diff', '--raw'], calm);
    };
    await look();
    await appendFile(config, `[include]\n\tpath = later\n`);
    await look();
    await writeFile(join(trial.clone, '.git', 'later'), filter('included'));
    await writeFile(join(trial.clone, '.gitattributes'), 'a.txt filter=included\n');
    await look();
    await expect(rm(ran)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
