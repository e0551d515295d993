import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryLines, arbitraryText } from '../../test/support/text/arbitrary-change.ts';
import {
  applyFilePatch,
  type FilePatch,
  makeFilePatch,
  parseUnifiedDiff,
  printUnifiedDiff,
} from './unified-diff.ts';

function lines(...texts: string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}

/** What a patch says of its files, without the hunks. */
function summary(patch: string): Array<Omit<FilePatch, 'hunks'> & { hunkCount: number }> {
  return parseUnifiedDiff(patch).map(({ hunks, ...rest }) => ({ ...rest, hunkCount: hunks.length }));
}

const texts = fc.oneof(arbitraryText, arbitraryLines);

describe('laws', () => {
  test('a printed patch, read back and applied, gives the new text', () => {
    fc.assert(
      fc.property(texts, texts, fc.nat({ max: 4 }), (before, after, context) => {
        const patch = makeFilePatch({ oldPath: 'x', newPath: 'x', before, after, context });
        const read = parseUnifiedDiff(printUnifiedDiff([patch]));
        expect(read).toEqual([patch]);
        expect(applyFilePatch(before, patch)).toEqual({ kind: 'applied', text: after, offset: 0 });
      }),
    );
  });

  test('creations, deletions and renames are read back as they were printed, whatever the path', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b/', ' ', '"', '\\', '\t', '\n', 'é', '𝒳', '\x01', 'b/a'), {
        minLength: 1,
      })
      .map((pieces) => `${pieces.join('')}x`)
      .filter((name) => !name.startsWith('/'));
    fc.assert(
      fc.property(path, path, texts, texts, (oldPath, newPath, before, after) => {
        const patches: FilePatch[] = [
          makeFilePatch({ newPath, before: undefined, after, newMode: 0o100755 }),
          makeFilePatch({ oldPath, before, after: undefined, oldMode: 0o100644 }),
          makeFilePatch({ oldPath, newPath: `${newPath}2`, before, after }),
          makeFilePatch({ oldPath, newPath: oldPath, before, after: `${before}!` }),
          { kind: 'copied', oldPath, newPath: `${newPath}2`, hunks: [] },
          { kind: 'binary', oldPath, newPath: `${newPath}2`, hunks: [] },
          { kind: 'binary', oldPath, oldMode: 0o100644, hunks: [] },
        ];
        expect(parseUnifiedDiff(printUnifiedDiff(patches))).toEqual(patches);
      }),
    );
  });

  test('a patch still applies when lines were added above, and says how far off it was', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(), { minLength: 8, maxLength: 20 }),
        fc.integer({ min: 1, max: 9 }),
        (numbers, shift) => {
          const before = numbers.map((number) => `line ${number}\n`);
          const after = before.with(4, 'changed\n');
          const above = Array.from({ length: shift }, (_, at) => `above ${at}\n`);
          const patch = makeFilePatch({
            oldPath: 'x',
            newPath: 'x',
            before: before.join(''),
            after: after.join(''),
          });
          expect(applyFilePatch([...above, ...before].join(''), patch)).toEqual({
            kind: 'applied',
            text: [...above, ...after].join(''),
            offset: shift,
          });
        },
      ),
    );
  });
});

describe('what git and diff print', () => {
  test.each<[string, string, ReturnType<typeof summary>]>([
    [
      'a modified file',
      lines(
        'diff --git a/src.txt b/src.txt',
        'index 68c1a42..3c2cacb 100644',
        '--- a/src.txt',
        '+++ b/src.txt',
        '@@ -1,3 +1,3 @@ a section',
        ' copy',
        ' source',
        '-text',
        '+Text',
      ),
      [{ kind: 'modified', oldPath: 'src.txt', newPath: 'src.txt', hunkCount: 1 }],
    ],
    [
      'a created symbolic link and a deleted file',
      lines(
        'diff --git a/link b/link',
        'new file mode 120000',
        'index 0000000..3532cf7',
        '--- /dev/null',
        '+++ b/link',
        '@@ -0,0 +1 @@',
        '+list.txt',
        '\\ No newline at end of file',
        'diff --git a/gone.txt b/gone.txt',
        'deleted file mode 100644',
        'index 286c5f5..0000000',
        '--- a/gone.txt',
        '+++ /dev/null',
        '@@ -1 +0,0 @@',
        '-gone',
      ),
      [
        { kind: 'created', newPath: 'link', newMode: 0o120000, hunkCount: 1 },
        { kind: 'deleted', oldPath: 'gone.txt', oldMode: 0o100644, hunkCount: 1 },
      ],
    ],
    [
      'empty files that come and go',
      lines(
        'diff --git a/a b/c b/a b/c',
        'new file mode 100644',
        'index 0000000..e69de29',
        'diff --git a/gone b/gone',
        'deleted file mode 100644',
        'index e69de29..0000000',
      ),
      [
        { kind: 'created', newPath: 'a b/c', newMode: 0o100644, hunkCount: 0 },
        { kind: 'deleted', oldPath: 'gone', oldMode: 0o100644, hunkCount: 0 },
      ],
    ],
    [
      'a rename, a rename with changes, a copy',
      lines(
        'diff --git a/from.txt b/to.txt',
        'similarity index 100%',
        'rename from from.txt',
        'rename to to.txt',
        'diff --git a/old name b/new name',
        'similarity index 66%',
        'rename from old name',
        'rename to new name',
        'index 587be6b..62d8fe9 100644',
        '--- a/old name\t',
        '+++ b/new name\t',
        '@@ -1 +1 @@',
        '-x',
        '+X',
        'diff --git a/src.txt b/dst.txt',
        'similarity index 100%',
        'copy from src.txt',
        'copy to dst.txt',
      ),
      [
        { kind: 'renamed', oldPath: 'from.txt', newPath: 'to.txt', hunkCount: 0 },
        { kind: 'renamed', oldPath: 'old name', newPath: 'new name', hunkCount: 1 },
        { kind: 'copied', oldPath: 'src.txt', newPath: 'dst.txt', hunkCount: 0 },
      ],
    ],
    [
      'a changed mode',
      lines('diff --git a/run.sh b/run.sh', 'old mode 100644', 'new mode 100755'),
      [
        {
          kind: 'modified',
          oldPath: 'run.sh',
          newPath: 'run.sh',
          oldMode: 0o100644,
          newMode: 0o100755,
          hunkCount: 0,
        },
      ],
    ],
    [
      'a quoted path with bytes in octal',
      lines(
        'diff --git "a/n\\303\\251 \\"q\\".txt" "b/n\\303\\251 \\"q\\".txt"',
        'index 975fbec..9bda8c3 100644',
        '--- "a/n\\303\\251 \\"q\\".txt"\t',
        '+++ "b/n\\303\\251 \\"q\\".txt"\t',
        '@@ -1 +1 @@',
        '-y',
        '+Y',
      ),
      [{ kind: 'modified', oldPath: 'né "q".txt', newPath: 'né "q".txt', hunkCount: 1 }],
    ],
    [
      'binary files, told and sent',
      lines(
        'diff --git a/bin.dat b/bin.dat',
        'index bdc955b..8835708 100644',
        'Binary files a/bin.dat and b/bin.dat differ',
        'diff --git a/new.dat b/new.dat',
        'new file mode 100644',
        'index 0000000..8835708',
        'GIT binary patch',
        'literal 2',
        'JcmZQz0ssI600RI3',
        '',
        'literal 0',
        'HcmV?d00001',
        '',
      ),
      [
        { kind: 'binary', oldPath: 'bin.dat', newPath: 'bin.dat', hunkCount: 0 },
        { kind: 'binary', newPath: 'new.dat', newMode: 0o100644, hunkCount: 0 },
      ],
    ],
    [
      'a mailed commit, from its message to its signature',
      lines(
        'From 8827e6e7250b8247b892425c690efa48b48d2484 Mon Sep 17 00:00:00 2001',
        'From: n <a@b>',
        'Subject: [PATCH] two things',
        '',
        '--- not a header',
        '+++ neither',
        '---',
        ' list.txt | 2 +-',
        ' 1 file changed, 1 insertion(+), 1 deletion(-)',
        '',
        'diff --git a/list.txt b/list.txt',
        'index c9e9e05..061a3ba 100644',
        '--- a/list.txt',
        '+++ b/list.txt',
        '@@ -1,2 +1 @@',
        ' one',
        '--- ',
        '-- ',
        '2.39.5',
        '',
      ),
      [{ kind: 'modified', oldPath: 'list.txt', newPath: 'list.txt', hunkCount: 1 }],
    ],
    [
      'diff -ruN of two directories, with timestamps',
      lines(
        'diff -ruN old/list.txt new/list.txt',
        '--- old/list.txt\t2026-01-02 03:04:05.678901234 +0100',
        '+++ new/list.txt\t2026-01-02 03:04:06.000000000 +0100',
        '@@ -1 +1 @@',
        '-a',
        '+b',
        'diff -ruN old/made.txt new/made.txt',
        '--- old/made.txt\t1970-01-01 01:00:00.000000000 +0100',
        '+++ new/made.txt\t2026-01-02 03:04:06.000000000 +0100',
        '@@ -0,0 +1 @@',
        '+b',
        'Binary files old/x.bin and new/x.bin differ',
      ),
      [
        { kind: 'modified', oldPath: 'list.txt', newPath: 'list.txt', hunkCount: 1 },
        { kind: 'created', newPath: 'made.txt', hunkCount: 1 },
        { kind: 'binary', oldPath: 'x.bin', newPath: 'x.bin', hunkCount: 0 },
      ],
    ],
    [
      'a file and its backup',
      lines('--- x.c.orig', '+++ x.c', '@@ -1 +1 @@', '-a', '+b'),
      [{ kind: 'modified', oldPath: 'x.c', newPath: 'x.c', hunkCount: 1 }],
    ],
    [
      'a file and what diff read from a pipe',
      lines('--- lib/x.c', '+++ -', '@@ -1 +1 @@', '-a', '+b', '--- -', '+++ y.c', '@@ -1 +1 @@', '-a', '+b'),
      [
        { kind: 'modified', oldPath: 'lib/x.c', newPath: 'lib/x.c', hunkCount: 1 },
        { kind: 'modified', oldPath: 'y.c', newPath: 'y.c', hunkCount: 1 },
      ],
    ],
    [
      'paths without prefixes below a directory called a',
      lines('diff --git a/x a/x', '--- a/x', '+++ a/x', '@@ -1 +1 @@', '-a', '+b', '@@ -9 +9 @@', '-a', '+b'),
      [{ kind: 'modified', oldPath: 'a/x', newPath: 'a/x', hunkCount: 2 }],
    ],
    [
      'mnemonic prefixes',
      lines('diff --git i/x w/x', '--- i/x', '+++ w/x', '@@ -1 +1 @@', '-a', '+b'),
      [{ kind: 'modified', oldPath: 'x', newPath: 'x', hunkCount: 1 }],
    ],
    [
      'a short patch written by hand',
      lines('--- /dev/null', '+++ b/made/x.ts', '@@ -0,0 +1,2 @@', '+a', '+'),
      [{ kind: 'created', newPath: 'made/x.ts', hunkCount: 1 }],
    ],
    ['nothing', '', []],
  ])('%s', (_, patch, expected) => {
    expect(summary(patch)).toEqual(expected);
  });
});

describe('a malformed patch is refused where it goes wrong', () => {
  const header = ['--- a/x', '+++ b/x'];
  test.each<[string, string, number]>([
    ['prose without a diff', 'please change x', 1],
    ['a hunk without a file', lines('@@ -1 +1 @@', '-a', '+b'), 1],
    ['a hunk header without numbers', lines(...header, '@@ ... @@', '-a', '+b'), 3],
    ['a hunk that ends early', lines(...header, '@@ -1,3 +1,3 @@', ' a', '-b'), 6],
    ['a hunk cut off by the next file', lines(...header, '@@ -1,2 +1,2 @@', ' a', 'diff --git a/y b/y'), 5],
    ['a hunk with too many lines on one side', lines(...header, '@@ -1,2 +1 @@', '+a', '+b', '-c'), 5],
    ['a hunk longer than announced', lines(...header, '@@ -1 +1 @@', '-a', '+b', '+c'), 6],
    ['names without a hunk', lines('diff --git a/x b/x', ...header), 4],
    ['a stray newline marker', lines(...header, '@@ -1 +0,0 @@', '-a', '\\ No newline', '\\ No newline'), 6],
    ['names that cannot be told apart', lines('diff --git a/x b/y', 'old mode 100644'), 1],
    ['the diff of a merge', lines('diff --cc x', 'index 1,2..3'), 1],
  ])('%s', (_, patch, line) => {
    expect(() => parseUnifiedDiff(patch)).toThrow(
      expect.objectContaining({ code: 'text/malformed-patch', line, remedy: expect.stringMatching(/\w/) }),
    );
  });
});

describe('applying', () => {
  const check = (text: string, hunks: string, kind: FilePatch['kind'] = 'modified') => {
    const [patch] = parseUnifiedDiff(`--- a/x\n+++ b/x\n${hunks}`);
    return applyFilePatch(text, { kind, hunks: patch?.hunks ?? [] });
  };
  const swap = lines('@@ -2,3 +2,3 @@', ' a', '-b', '+B', ' c');

  test.each<[string, string, string, string, number]>([
    ['at the stated place', 'z\na\nb\nc\n', swap, 'z\na\nB\nc\n', 0],
    ['at the nearest place', 'a\nb\nc\n\n\n\n\na\nb\nc\n', swap, 'a\nB\nc\n\n\n\n\na\nb\nc\n', -1],
    [
      'at the later of two equally near',
      'a\nb\nc\na\nb\nc\n',
      lines('@@ -2 +2 @@', '-c', '+C'),
      'a\nb\nC\na\nb\nc\n',
      1,
    ],
    ['however far off', `${'z\n'.repeat(99)}a\nb\nc\n`, swap, `${'z\n'.repeat(99)}a\nB\nc\n`, 98],
    [
      'though the stated place is past the end',
      'a\nb\n',
      lines('@@ -7000000 +7000000 @@', '-b', '+B'),
      'a\nB\n',
      -6_999_998,
    ],
    ['to a file with other line ends', 'z\r\na\r\nb\r\nc\r\n', swap, 'z\r\na\r\nB\r\nc\r\n', 0],
    [
      'to the one changed line of a file of mixed line ends',
      'z\na\nb\nc\r\n',
      lines('@@ -3 +3 @@', '-b', '+B'),
      'z\na\nB\nc\r\n',
      0,
    ],
    ['without context', 'a\nb\n', lines('@@ -1,0 +2,2 @@', '+x', '+y'), 'a\nx\ny\nb\n', 0],
    [
      'without context as it stands, having no line to compare line ends with',
      'a\r\nb\r\n',
      lines('@@ -1,0 +2 @@', '+x'),
      'a\r\nx\nb\r\n',
      0,
    ],
    [
      'to a context line whose only blank was stripped',
      'a\n\nb\n',
      lines('@@ -1,3 +1,3 @@', ' a', '', '-b', '+B'),
      'a\n\nB\n',
      0,
    ],
    [
      'that adds the final newline',
      'a',
      lines('@@ -1 +1 @@', '-a', '\\ No newline at end of file', '+a'),
      'a\n',
      0,
    ],
    [
      'that takes the final newline',
      'a\n',
      lines('@@ -1 +1 @@', '-a', '+a', '\\ No newline at end of file'),
      'a',
      0,
    ],
  ])('a hunk %s', (_, text, hunks, result, offset) => {
    expect(check(text, hunks)).toEqual({ kind: 'applied', text: result, offset });
  });

  test('a patch that came with other line ends applies to the file it was made for', () => {
    const patch = `--- a/x\n+++ b/x\n${swap}`.replaceAll('\n', '\r\n');
    const [read] = parseUnifiedDiff(patch);
    expect(read && applyFilePatch('z\na\nb\nc\n', read)).toMatchObject({ text: 'z\na\nB\nc\n' });
  });

  test.each<[string, string, string, FilePatch['kind'], number, string]>([
    [
      'lines that stand nowhere',
      'z\na\nx\nc\n',
      swap,
      'modified',
      0,
      'line 3 should be "b\\n", but the text has "x\\n"; its lines stand together nowhere else',
    ],
    [
      'a second hunk that fails',
      'z\na\nb\nc\n',
      swap + lines('@@ -9 +9 @@', '-q', '+Q'),
      'modified',
      1,
      'line 9 should be "q\\n", but the text has ended; its lines stand together nowhere else',
    ],
    [
      'a place the hunk before took',
      'a\nb\n',
      lines('@@ -1,2 +1,2 @@', ' a', '-b', '+B', '@@ -2 +2 @@', '-b', '+C'),
      'modified',
      1,
      'its place at line 2 is taken by the hunk before it',
    ],
    [
      'an insertion past the end',
      'a\n',
      lines('@@ -5,0 +6 @@', '+x'),
      'modified',
      0,
      'it inserts after line 5, which is not there to insert after',
    ],
    [
      'a missing final newline the patch does not know of',
      'z\na\nb\nc',
      swap,
      'modified',
      0,
      'line 4 should be "c\\n", but the text has "c"; its lines stand together nowhere else',
    ],
    [
      'a creation of what exists',
      'a\n',
      lines('@@ -0,0 +1 @@', '+x'),
      'created',
      0,
      'it creates a file that already has content',
    ],
    [
      'a deletion that would lose lines',
      'a\nb\n',
      lines('@@ -1 +0,0 @@', '-a'),
      'deleted',
      0,
      'it deletes a file that holds more than the patch removes',
    ],
    ['a binary file', '', swap, 'binary', 0, 'the patch does not hold the content of this binary file'],
  ])('%s is rejected with its reason', (_, text, hunks, kind, hunk, reason) => {
    expect(check(text, hunks, kind)).toEqual({ kind: 'rejected', hunk, reason });
  });
});

test('a patch prints as git prints it', () => {
  const numbers = Array.from({ length: 20 }, (_, at) => `${at}\n`);
  const before = numbers.join('');
  const after = numbers.with(2, 'two\n').with(9, 'nine\n').with(17, 'seventeen\n').join('').trimEnd();
  expect(
    printUnifiedDiff([
      makeFilePatch({ oldPath: 'a file', newPath: 'a file', before, after }),
      makeFilePatch({ oldPath: 'old', newPath: 'new', before: '', after: '' }),
      makeFilePatch({ newPath: 'tab\there', before: undefined, after: '' }),
    ]),
  ).toMatchInlineSnapshot(`
    "diff --git a/a file b/a file
    --- a/a file	
    +++ b/a file	
    @@ -1,13 +1,13 @@
     0
     1
    -2
    +two
     3
     4
     5
     6
     7
     8
    -9
    +nine
     10
     11
     12
    @@ -15,6 +15,6 @@
     14
     15
     16
    -17
    +seventeen
     18
    -19
    +19
    \\ No newline at end of file
    diff --git a/old b/new
    rename from old
    rename to new
    diff --git "a/tab\\there" "b/tab\\there"
    new file mode 100644
    "
  `);
});
