import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemorySource, workspacePath } from '../../test/support/memory-source.ts';
import type { FileContent } from '../workspace/file-content.ts';
import { filesBelow } from '../workspace/files-below.ts';
import { isBelow, rootPath, type WorkspacePath } from '../workspace/workspace-path.ts';
import { editText, moveFile, Overlay } from './overlay.ts';

const p = workspacePath;
const text = (value: string): FileContent => ({ kind: 'text', text: value });

type Operation =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'stack' };

const anyPath = fc.constantFrom('a', 'a/b', 'a/b/c', 'a/d', 'e', 'e/f', 'g');
const operations = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('write' as const), path: anyPath, text: fc.constantFrom('1', '2', '3') }),
    fc.record({ kind: fc.constant('remove' as const), path: anyPath }),
    fc.record({ kind: fc.constant('rename' as const), path: anyPath, to: anyPath }),
    fc.constant({ kind: 'stack' as const }),
  ),
  { maxLength: 12 },
);

describe('a stack of overlays', () => {
  test('reads and lists as a plain map of files would', async () => {
    await fc.assert(
      fc.asyncProperty(operations, async (list) => {
        const base = { a: 'base a', 'e/f': 'base f', g: 'base g' };
        const { overlay, model } = await replay(base, list);
        await expectSameFiles(overlay, model);
        await expectSameFiles(overlay.flattened(), model);
      }),
      { numRuns: 400 },
    );
  });

  test('changes its bottom exactly into itself', async () => {
    await fc.assert(
      fc.asyncProperty(operations, async (list) => {
        const base = { a: 'base a', 'e/f': 'base f', g: 'base g' };
        const { overlay, model } = await replay(base, list);
        const result = new Map<string, FileContent>(new MemorySource(base).files);
        const changes = await overlay.changes('stack');
        for (const { from, path, after } of changes) {
          if (from !== undefined) result.delete(from);
          if (after === undefined) result.delete(path);
        }
        for (const { path, after } of changes) if (after !== undefined) result.set(path, after);
        expect(result).toEqual(model);
      }),
      { numRuns: 400 },
    );
  });
});

test('a fork never sees what its sibling wrote', async () => {
  const parent = Overlay.on(new MemorySource({ a: 'base' })).write(p('b'), text('parent'));
  const first = parent.write(p('a'), text('first')).remove(p('b'));
  const second = Overlay.on(parent).write(p('c'), text('second'));
  expect(await second.read(p('a'))).toEqual(text('base'));
  expect(await second.read(p('b'))).toEqual(text('parent'));
  expect(await first.read(p('c'))).toBeUndefined();
  expect(await parent.changes()).toHaveLength(1);
});

describe('directories', () => {
  const base = new MemorySource({ 'lib/one.ts': '1', 'lib/deep/two.ts': '2', 'top.ts': '3' });

  test('a created file brings its directories with it', async () => {
    const overlay = Overlay.on(base).write(p('new/dir/file.ts'), text(''));
    expect(await names(overlay, 'new')).toEqual(['dir/']);
    expect(await names(overlay, '')).toEqual(['lib/', 'new/', 'top.ts']);
  });

  test('a directory whose last file is removed is gone', async () => {
    const overlay = Overlay.on(base).remove(p('lib/deep/two.ts'));
    expect(await names(overlay, 'lib')).toEqual(['one.ts']);
    expect(await names(overlay.remove(p('lib/one.ts')), '')).toEqual(['top.ts']);
  });

  test('removing a directory deletes each file in it', async () => {
    const changes = await Overlay.on(base).remove(p('lib')).changes();
    expect(changes.map(({ kind, path }) => [kind, path])).toEqual([
      ['deleted', 'lib/deep/two.ts'],
      ['deleted', 'lib/one.ts'],
    ]);
  });

  test('renaming a directory renames each file in it', async () => {
    const overlay = await moveFile(Overlay.on(base), p('lib'), p('source'));
    expect(await names(overlay, '')).toEqual(['source/', 'top.ts']);
    expect((await overlay.changes()).map(({ kind, from, path }) => [kind, from, path])).toEqual([
      ['renamed', 'lib/deep/two.ts', 'source/deep/two.ts'],
      ['renamed', 'lib/one.ts', 'source/one.ts'],
    ]);
  });

  test('a directory does not move into itself', async () => {
    await expect(moveFile(Overlay.on(base), p('lib'), p('lib/inner'))).rejects.toMatchObject({
      code: 'overlay/not-a-file-path',
    });
  });
});

describe('changes', () => {
  const base = new MemorySource({ a: 'A', b: 'B' });
  const check = async (make: (overlay: Overlay) => Overlay | Promise<Overlay>, expected: unknown[]) => {
    const changes = await (await make(Overlay.on(base))).changes();
    expect(changes.map(({ kind, from, path }) => (from ? [kind, from, path] : [kind, path]))).toEqual(
      expected,
    );
  };

  test.each<[string, (overlay: Overlay) => Overlay | Promise<Overlay>, unknown[]]>([
    ['a write equal to the base is none', (o) => o.write(p('a'), text('A')), []],
    ['a removal of what is not there is none', (o) => o.remove(p('x')), []],
    [
      'one renamed and edited is renamed',
      async (o) => (await moveFile(o, p('a'), p('c'))).writeText(p('c'), 'C'),
      [['renamed', 'a', 'c']],
    ],
    [
      'one renamed twice is renamed once',
      async (o) => moveFile(await moveFile(o, p('a'), p('c')), p('c'), p('d')),
      [['renamed', 'a', 'd']],
    ],
    [
      'one renamed there and back is none',
      async (o) => moveFile(await moveFile(o, p('a'), p('c')), p('c'), p('a')),
      [],
    ],
    [
      'one renamed over another modifies it',
      (o) => moveFile(o, p('a'), p('b')),
      [
        ['deleted', 'a'],
        ['modified', 'b'],
      ],
    ],
    [
      'one whose old name is taken again is created',
      async (o) => (await moveFile(o, p('a'), p('c'))).writeText(p('a'), 'new'),
      [
        ['modified', 'a'],
        ['created', 'c'],
      ],
    ],
    [
      'one renamed and removed is deleted',
      async (o) => (await moveFile(o, p('a'), p('c'))).remove(p('c')),
      [['deleted', 'a']],
    ],
    [
      'one created and renamed is created',
      async (o) => moveFile(o.writeText(p('n'), 'n'), p('n'), p('m')),
      [['created', 'm']],
    ],
    [
      'a changed mode is one',
      (o) => o.write(p('a'), { kind: 'text', text: 'A', mode: 0o755 }),
      [['modified', 'a']],
    ],
  ])('%s', (_, make, expected) => check(make, expected));

  test('renames of two layers are one rename from the bottom', async () => {
    const lower = await moveFile(Overlay.on(base), p('a'), p('c'));
    const upper = await moveFile(Overlay.on(lower), p('c'), p('d'));
    expect(await upper.changes('stack')).toMatchObject([{ kind: 'renamed', from: 'a', path: 'd' }]);
    expect(await upper.changes()).toMatchObject([{ kind: 'renamed', from: 'c', path: 'd' }]);
  });
});

test('editing a text keeps its byte order mark and mode', async () => {
  const base = new MemorySource(new Map([['x', { kind: 'text', text: 'one', bom: true, mode: 0o755 }]]));
  const edited = await editText(Overlay.on(base), p('x'), () => 'two');
  expect(await edited.read(p('x'))).toEqual({ kind: 'text', text: 'two', bom: true, mode: 0o755 });
  expect(await edited.writeText(p('x'), 'three').read(p('x'))).toMatchObject({ bom: true, mode: 0o755 });
});

test.each([
  ['missing', 'overlay/no-such-file'],
  ['binary', 'overlay/not-text'],
])('a %s file cannot be edited as text', async (path, code) => {
  const base = new MemorySource(new Map([['binary', { kind: 'binary', bytes: new Uint8Array([0]) }]]));
  await expect(editText(Overlay.on(base), p(path), (t) => t)).rejects.toMatchObject({ code });
});

async function replay(
  base: Readonly<Record<string, string>>,
  list: readonly Operation[],
): Promise<{ overlay: Overlay; model: Map<string, FileContent> }> {
  let overlay = Overlay.on(new MemorySource(base));
  const model = new Map<string, FileContent>(new MemorySource(base).files);
  const drop = (path: string) => {
    for (const key of model.keys()) if (key === path || isBelow(p(key), p(path))) model.delete(key);
  };
  const put = (path: string, content: FileContent) => {
    drop(path);
    model.set(path, content);
  };
  const hasFileAbove = (path: string) => [...model.keys()].some((key) => isBelow(p(path), p(key)));
  for (const operation of list) {
    switch (operation.kind) {
      case 'stack':
        overlay = Overlay.on(overlay);
        break;
      case 'write':
        if (hasFileAbove(operation.path)) continue;
        overlay = overlay.writeText(p(operation.path), operation.text);
        put(operation.path, text(operation.text));
        break;
      case 'remove':
        overlay = overlay.remove(p(operation.path));
        drop(operation.path);
        break;
      case 'rename': {
        const { path, to } = operation;
        const moved = [...model].filter(([key]) => key === path || isBelow(p(key), p(path)));
        const above = [...model.keys()].some((key) => key !== path && isBelow(p(to), p(key)));
        if (moved.length === 0 || path === to || above || (!model.has(path) && isBelow(p(to), p(path))))
          continue;
        overlay = await moveFile(overlay, p(path), p(to));
        drop(path);
        drop(to);
        for (const [key, content] of moved) model.set(to + key.slice(path.length), content);
      }
    }
  }
  return { overlay, model };
}

async function expectSameFiles(overlay: Overlay, model: ReadonlyMap<string, FileContent>): Promise<void> {
  expect((await filesBelow(overlay, rootPath)).sort()).toEqual([...model.keys()].sort());
  for (const path of ['a', 'a/b', 'a/b/c', 'a/d', 'e', 'e/f', 'g']) {
    expect(await overlay.read(p(path))).toEqual(model.get(path));
  }
}

async function names(overlay: Overlay, directory: string): Promise<string[]> {
  const entries = await overlay.list(directory === '' ? rootPath : (p(directory) satisfies WorkspacePath));
  return entries.map(({ name, kind }) => (kind === 'directory' ? `${name}/` : name));
}
