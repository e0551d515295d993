import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemorySource, workspacePath } from '../../test/support/memory-source.ts';
import { ScratchWorkspace } from '../../test/support/scratch-workspace.ts';
import { parseUnifiedDiff } from '../text/unified-diff.ts';
import type { FileContent } from '../workspace/file-content.ts';
import { existsIn } from '../workspace/file-source.ts';
import { moveFile, Overlay } from './overlay.ts';
import { applyPatch, renderContents, renderPatch } from './patch.ts';

const p = workspacePath;
const base = new MemorySource(
  new Map<string, FileContent>([
    ['a.ts', { kind: 'text', text: 'one\ntwo\nthree\n' }],
    ['b.ts', { kind: 'text', text: 'b\r\nno end', bom: true }],
    ['run.sh', { kind: 'text', text: '#!/bin/sh\n', mode: 0o755 }],
    ['image', { kind: 'binary', bytes: new Uint8Array([0, 1]) }],
  ]),
);

async function applied(overlay: Overlay, patch: string): Promise<Overlay> {
  const outcome = await applyPatch(overlay, parseUnifiedDiff(patch));
  if (outcome.kind === 'rejected') throw new Error(JSON.stringify(outcome.rejects));
  return outcome.overlay;
}

test('an overlay told as a patch and applied again is the same overlay', async () => {
  const piece = fc.constantFrom('x', 'y\n', 'z\r\n', '😀', '\n', 'one\n', 'two\n', 'three\n');
  const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
  const content = fc.record(
    { kind: fc.constant('text' as const), text, bom: fc.constant(true), mode: fc.constantFrom(0o755) },
    { requiredKeys: ['kind', 'text'] },
  );
  const step = fc.oneof(
    fc.record({ write: fc.constantFrom('a.ts', 'b.ts', 'run.sh', 'new/n.ts'), content }),
    fc.record({ remove: fc.constantFrom('a.ts', 'b.ts', 'image') }),
    fc.record({
      rename: fc.constantFrom('a.ts', 'b.ts', 'run.sh', 'image'),
      to: fc.constantFrom('m/m', 'a.ts'),
    }),
    fc.record({ link: fc.constantFrom('a.ts', 'link') }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      let overlay = Overlay.on(base);
      for (const change of steps) {
        if ('write' in change) overlay = overlay.write(p(change.write), change.content);
        else if ('remove' in change) overlay = overlay.remove(p(change.remove));
        else if ('link' in change) overlay = overlay.write(p(change.link), { kind: 'symlink', target: 'x' });
        else if (await existsIn(overlay, p(change.rename))) {
          overlay = await moveFile(overlay, p(change.rename), p(change.to));
        }
      }
      const changes = await overlay.changes();
      const isTellable = changes.every(({ kind, after }) => kind === 'renamed' || after?.kind !== 'binary');
      fc.pre(isTellable);
      const again = await applied(Overlay.on(base), await renderPatch(overlay));
      expect(await resultOf(again)).toEqual(await resultOf(overlay));
    }),
    { numRuns: 300 },
  );
});

describe('a patch is rejected as a whole', () => {
  test.each([
    ['when one of its files does not match', '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-nothing\n+x\n', 'a.ts'],
    ['when a file is missing', '--- a/no.ts\n+++ b/no.ts\n@@ -1 +1 @@\n-x\n+y\n', 'no.ts'],
    ['when it creates what exists', '--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1 @@\n+x\n', 'a.ts'],
    ['when it leaves the workspace', '--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-x\n+y\n', '../x'],
    ['when it edits a binary file', '--- a/image\n+++ b/image\n@@ -1 +1 @@\n-x\n+y\n', 'image'],
  ])('%s', async (_, bad, path) => {
    const good = '--- a/b.ts\n+++ b/b.ts\n@@ -2 +2 @@\n-no end\n\\ No newline at end of file\n+end\n';
    const outcome = await applyPatch(Overlay.on(base), parseUnifiedDiff(good + bad));
    expect(outcome).toMatchObject({ kind: 'rejected', rejects: [{ path }] });
  });
});

test('a patch makes a file executable and takes that back', async () => {
  const overlay = Overlay.on(base)
    .write(p('a.ts'), { kind: 'text', text: 'one\ntwo\nthree\n', mode: 0o755 })
    .write(p('run.sh'), { kind: 'text', text: '#!/bin/sh\n', mode: 0o644 });
  const again = await applied(Overlay.on(base), await renderPatch(overlay));
  expect(await again.changes()).toEqual(await overlay.changes());
});

test('bytes that move and become text are told as one file leaving and another coming', async () => {
  const moved = await moveFile(Overlay.on(base), p('image'), p('notes'));
  const overlay = moved.write(p('notes'), { kind: 'text', text: 'words\n' });
  const again = await applied(Overlay.on(base), await renderPatch(overlay));
  expect(await resultOf(again)).toEqual(await resultOf(overlay));
});

test('two files may change names in one patch', async () => {
  const swap =
    'diff --git a/a.ts b/run.sh\nrename from a.ts\nrename to run.sh\n' +
    'diff --git a/run.sh b/a.ts\nrename from run.sh\nrename to a.ts\n';
  const overlay = await applied(Overlay.on(base), swap);
  expect(await overlay.read(p('a.ts'))).toMatchObject({ text: '#!/bin/sh\n' });
  expect(await overlay.read(p('run.sh'))).toMatchObject({ text: 'one\ntwo\nthree\n' });
});

test('a second patch of a file speaks of the result of the first', async () => {
  const one = '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n';
  const two = '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n-1\n+I\n two\n';
  const overlay = await applied(Overlay.on(base), one + two);
  expect(await overlay.read(p('a.ts'))).toMatchObject({ text: 'I\ntwo\nthree\n' });
});

test('whole contents are told by URI, with null for what is gone', async () => {
  await using scratch = await ScratchWorkspace.create();
  const { workspace } = scratch;
  const overlay = (await moveFile(Overlay.on(base), p('a.ts'), p('c.ts'))).remove(p('image'));
  expect(await renderContents(workspace, overlay)).toEqual({
    [workspace.uri(p('a.ts'))]: null,
    [workspace.uri(p('c.ts'))]: 'one\ntwo\nthree\n',
    [workspace.uri(p('image'))]: null,
  });
});

async function resultOf(overlay: Overlay): Promise<unknown> {
  const paths = ['a.ts', 'b.ts', 'run.sh', 'image', 'new/n.ts', 'm/m', 'link'];
  return Promise.all(paths.map(async (path) => withoutDefaultMode(await overlay.read(p(path)))));
}

/** A patch says only whether a file is executable; content without a mode keeps the one it is written over. */
function withoutDefaultMode(content: FileContent | undefined): unknown {
  return content === undefined || content.kind === 'symlink' ? content : { ...content, mode: undefined };
}
