import { mkdir, symlink } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testState } from '../../../../test/support/commit-state.ts';
import { ScratchWorkspace } from '../../../../test/support/scratch-workspace.ts';
import { describeTree } from '../../../../test/support/tree-hash.ts';
import { Baseline } from '../../../workspace/baseline.ts';
import { DiskSource } from '../../../workspace/disk-source.ts';
import { editText, moveFile, Overlay } from '../../overlay.ts';
import { commitOverlay } from '../commit.ts';
import { isGitPath } from './protected-path.ts';

const never = new AbortController().signal;

describe('a path that belongs to git', () => {
  test.each([
    '.git',
    '.GIT/config',
    '.Git/hooks/pre-commit',
    'sub/.git/hooks/x',
    'a/b/.gIt',
    '.git./config',
    '.git /config',
    '.git . ./config',
    '.git...',
    '.git::$INDEX_ALLOCATION/config',
    '.git:stream',
    '.git ::$DATA',
    'git~1/config',
    'GIT~1',
    'GIT~2/config',
    'git~1.',
    'sub/git~1::$INDEX_ALLOCATION',
    '.g\u200cit/config',
    '\u200d.git',
    '.git\ufeff/config',
    '.\u206ag\u202ei\u200ft/config',
    '.git\u00ad',
    '\uff0e\uff47\uff49\uff54/config',
    '.git\\config',
    'sub\\.GIT\\config',
  ])('is refused however it is spelled: %j', (path) => {
    expect(isGitPath(path)).toBe(true);
  });

  test.each([
    '.gitignore',
    '.gitattributes',
    '.gitmodules',
    '.github/workflows/ci.yml',
    '.gitlab-ci.yml',
    'git',
    'git/index.ts',
    'x.git',
    'digit~1',
    'git~',
    'git~1.txt',
    '.git-blame-ignore-revs',
    '.gitkeep',
    'docs/.git.md',
    'src/git.ts',
    '. git',
  ])('is not taken for one: %j', (path) => {
    expect(isGitPath(path)).toBe(false);
  });

  test('is refused in every mixture of the ways to spell it', () => {
    const invisible = fc.array(fc.constantFrom('\u200c', '\u200d', '\u200e', '\u202b', '\u206f', '\ufeff'), {
      maxLength: 2,
    });
    const letter = (character: string) =>
      fc
        .tuple(invisible, fc.constantFrom(character, character.toUpperCase()))
        .map(([before, shown]) => [...before, shown].join(''));
    const name = fc
      .constantFrom('.git', 'git~1')
      .chain((plain) => fc.tuple(...[...plain].map(letter)))
      .map((letters) => letters.join(''));
    const tail = fc.tuple(
      fc.array(fc.constantFrom('.', ' '), { maxLength: 3 }).map((ends) => ends.join('')),
      fc.constantFrom('', ':', '::$INDEX_ALLOCATION', ':x'),
    );
    const around = fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { maxLength: 3 });
    fc.assert(
      fc.property(around, name, tail, around, (before, spelled, [ends, stream], after) => {
        expect(isGitPath([...before, spelled + ends + stream, ...after].join('/'))).toBe(true);
      }),
    );
  });

  test('is not found in names that share no more than a part with it', () => {
    const plain = fc.stringMatching(/^[a-z0-9_-]{1,8}(\.[a-z]{1,4})?$/);
    fc.assert(
      fc.property(fc.array(plain, { minLength: 1, maxLength: 4 }), (names) => {
        expect(isGitPath(names.join('/'))).toBe(false);
      }),
    );
  });
});

describe('a commit', () => {
  const options = { durability: 'process', onConflict: 'overwrite', ...testState } as const;
  const cases: [
    string,
    (
      overlay: Overlay,
      at: (path: string) => ReturnType<ScratchWorkspace['workspace']['path']>,
    ) => Overlay | Promise<Overlay>,
  ][] = [
    ['writes into .git', (overlay, at) => overlay.writeText(at('.git/hooks/post-checkout'), 'x')],
    ['writes .git as a file', (overlay, at) => overlay.writeText(at('sub/.git'), 'gitdir: /tmp/x')],
    [
      'writes .git as a link',
      (overlay, at) => overlay.write(at('sub/.GIT'), { kind: 'symlink', target: '/tmp' }),
    ],
    ['deletes from .git', (overlay, at) => overlay.remove(at('.git/HEAD'))],
    ['deletes .git', (overlay, at) => overlay.remove(at('.git'))],
    ['renames out of .git', (overlay, at) => moveFile(overlay, at('.git/HEAD'), at('HEAD'))],
    ['renames into .git', (overlay, at) => moveFile(overlay, at('a.txt'), at('.git/config'))],
    ['writes through a link to a directory in .git', (overlay, at) => overlay.writeText(at('hooks/x'), 'x')],
    ['writes through a link to a file in .git', (overlay, at) => editText(overlay, at('head'), () => 'x')],
  ];
  test.each(cases)('that %s is refused and changes nothing', async (_name, change) => {
    await using scratch = await ScratchWorkspace.create({
      'a.txt': 'a',
      '.git/HEAD': 'ref',
      'sub/b.txt': 'b',
    });
    await mkdir(scratch.at('.git/hooks'));
    await symlink('.git/hooks', scratch.at('hooks'));
    await symlink('.git/HEAD', scratch.at('head'));
    const before = await describeTree(scratch.workspace.root);
    const overlay = Overlay.on(new Baseline(new DiskSource(scratch.workspace)));
    const changed = await change(overlay, (path) => scratch.workspace.path(path));
    const committing = commitOverlay(
      scratch.workspace,
      changed.writeText(scratch.workspace.path('a.txt'), 'new'),
      options,
      never,
    );
    await expect(committing).rejects.toMatchObject({ code: 'overlay/protected-path' });
    expect(await describeTree(scratch.workspace.root)).toEqual(before);
  });
});
