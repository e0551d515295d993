import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryLines, arbitraryText } from '../../test/support/text/arbitrary-change.ts';
import { withoutColour } from './patch-colour.ts';
import { reversePatches } from './reverse-patch.ts';
import { applyFilePatch, makeFilePatch, parseUnifiedDiff, printUnifiedDiff } from './unified-diff.ts';

const texts = fc.oneof(arbitraryText, arbitraryLines);

test('a reversed patch undoes the patch, is a patch itself, and reversed again is the same', () => {
  fc.assert(
    fc.property(texts, texts, fc.nat({ max: 4 }), (before, after, context) => {
      const patch = makeFilePatch({ oldPath: 'x', newPath: 'x', before, after, context });
      const [back] = reversePatches([patch]);
      expect(back && applyFilePatch(after, back)).toEqual({ kind: 'applied', text: before, offset: 0 });
      expect(back && parseUnifiedDiff(printUnifiedDiff([back]))).toEqual([back]);
      expect(back && reversePatches([back])).toEqual([patch]);
    }),
  );
});

test('a creation is undone by a deletion, a rename by the rename back, in the opposite order', () => {
  const created = makeFilePatch({ newPath: 'a', before: undefined, after: 'a\n', newMode: 0o100755 });
  const renamed = makeFilePatch({ oldPath: 'b', newPath: 'c', before: 'b\n', after: 'c\n' });
  expect(reversePatches([created, renamed])).toEqual([
    makeFilePatch({ oldPath: 'c', newPath: 'b', before: 'c\n', after: 'b\n' }),
    makeFilePatch({ oldPath: 'a', before: 'a\n', after: undefined, oldMode: 0o100755 }),
  ]);
});

const plain = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+\u001b[31mred\u001b[m\n';

test.each([
  ['a patch without colours keeps the escape sequences of its lines', plain, plain],
  [
    'a patch as git colours it',
    '\u001b[1mdiff --git a/x b/x\u001b[m\n\u001b[1m--- a/x\u001b[m\n\u001b[1m+++ b/x\u001b[m\n\u001b[36m@@ -1 +1 @@\u001b[m\n\u001b[31m-a\u001b[m\n\u001b[32m+\u001b[m\u001b[32mb\u001b[m\n',
    'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n',
  ],
])('%s', (_, given, read) => {
  expect(withoutColour(given)).toBe(read);
});
