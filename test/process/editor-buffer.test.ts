/** Buffers and files of the editor: kept in step, saved by commit, in conflict with the disk, however odd the file. */
import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { Overlay } from '../../src/overlay/overlay.ts';
import { EditorWorld } from '../support/editor-world.ts';
import { until } from '../support/until.ts';

describe('pages in step', () => {
  test('two pages that type at once end with one text, and a third sees it', async () => {
    await using world = await EditorWorld.open({ files: { 'a.txt': 'left right' } });
    const [one, two] = [await world.page('one'), await world.page('two')];
    const [left, right] = [await one.open('a.txt'), await two.open('a.txt')];
    await Promise.all([left.replace('left', 'LEFT'), right.replace('right', 'RIGHT')]);
    await Promise.all([left.pull(), right.pull()]);
    expect([left.text, right.text]).toEqual(['LEFT RIGHT', 'LEFT RIGHT']);
    expect((await (await world.page('three')).open('a.txt')).text).toBe('LEFT RIGHT');
  });

  test('unsaved text outlives every page; a clean buffer is closed with its last one', async () => {
    await using world = await EditorWorld.open({ files: { 'a.txt': 'a', 'b.txt': 'b' }, absenceMs: 20 });
    const page = await world.page();
    await (await page.open('a.txt')).replace('a', 'unsaved');
    await page.open('b.txt');
    page[Symbol.dispose]();
    await until(() => expect(world.editor.buffers.all.map(({ path }) => path)).toEqual(['a.txt']));
    expect((await (await world.page()).open('a.txt')).text).toBe('unsaved');
  });

  test('a page that is far behind is given the text', async () => {
    await using world = await EditorWorld.open({ files: { 'a.txt': 'x' } });
    const page = await world.page();
    const behind = await page.open('a.txt');
    const typist = await page.open('a.txt');
    for (let round = 0; round < 2100; round += 1) {
      await typist.replace(round === 0 ? 'x' : `${round - 1}.`, `${round}.`);
    }
    await behind.pull();
    expect([behind.text, behind.version]).toEqual(['2099.', 2100]);
  });

  test.each<[string, unknown]>([
    ['not a change', { not: 'a change' }],
    ['of another length', [999]],
    ['with a line end inside a line', [[0, 'a\nb'], 1]],
  ])('a change that is %s is refused and changes nothing', async (_, changes) => {
    await using world = await EditorWorld.open({ files: { 'a.txt': 'a' } });
    const page = await world.page();
    const buffer = await page.open('a.txt');
    const push = { path: 'a.txt', version: 0, updates: [{ client: 'x', changes }] };
    await expect(page.request('buffer.push', push)).rejects.toMatchObject({ code: 'editor/invalid-update' });
    await buffer.pull();
    expect([buffer.text, buffer.version]).toEqual(['a', 0]);
  });
});

describe('saving', () => {
  test.each<[string, string, string]>([
    ['carriage returns', 'one\r\ntwo\r\n', 'ONE\r\ntwo\r\n'],
    ['a byte order mark', '\uFEFFone\n', '\uFEFFONE\n'],
    ['mixed line ends', 'one\r\ntwo\nthree\r', 'ONE\r\ntwo\nthree\r'],
  ])('a file keeps its %s', async (_, before, after) => {
    await using world = await EditorWorld.open({ files: { 'a.txt': before } });
    const page = await world.page();
    await (await page.open('a.txt')).replace('one', 'ONE');
    expect(await page.request('buffer.save', { paths: ['a.txt'] })).toEqual({
      kind: 'saved',
      paths: ['a.txt'],
    });
    expect(await readFile(world.scratch.at('a.txt'), 'utf8')).toBe(after);
    await page.event('buffer.state', ({ state }) => !state.isUnsaved);
  });

  test('over a file that changed on disk is a conflict with both sides, and nothing is lost', async () => {
    await using world = await EditorWorld.open({ files: { 'a.txt': 'base', 'b.txt': 'b' } });
    const page = await world.page();
    await (await page.open('a.txt')).replace('base', 'mine');
    await (await page.open('b.txt')).replace('b', 'B');
    await writeFile(world.scratch.at('a.txt'), 'theirs');
    const outcome = await page.request('buffer.save', { paths: ['a.txt', 'b.txt'] });
    expect(outcome).toEqual({ kind: 'conflict', paths: ['a.txt'] });
    expect(await readFile(world.scratch.at('b.txt'), 'utf8')).toBe('b');
    await page.event('buffer.state', ({ state }) => state.path === 'a.txt' && state.conflict === 'changed');
    expect(await page.request('buffer.sides', { path: 'a.txt' })).toEqual({
      mine: 'mine',
      disk: 'theirs',
      base: 'base',
    });
    const forced = await page.request('buffer.save', { paths: ['a.txt'], onConflict: 'overwrite' });
    expect(forced.kind).toBe('saved');
    expect(await readFile(world.scratch.at('a.txt'), 'utf8')).toBe('mine');
  });

  test('a clean buffer takes over what the disk holds, an unsaved one reports it', async () => {
    await using world = await EditorWorld.open({ files: { 'clean.txt': 'one', 'unsaved.txt': 'one' } });
    const page = await world.page();
    const clean = await page.open('clean.txt');
    const unsaved = await page.open('unsaved.txt');
    await unsaved.replace('one', 'mine');
    await writeFile(world.scratch.at('clean.txt'), 'two\r\n');
    await writeFile(world.scratch.at('unsaved.txt'), 'theirs');
    await page.event('buffer.updated', ({ path }) => path === 'clean.txt');
    await page.event(
      'buffer.state',
      ({ state }) => state.path === 'unsaved.txt' && state.conflict === 'changed',
    );
    await Promise.all([clean.pull(), unsaved.pull()]);
    expect([clean.text, unsaved.text]).toEqual(['two\n', 'mine']);
    await page.request('buffer.revert', { path: 'unsaved.txt' });
    await unsaved.pull();
    expect(unsaved.text).toBe('theirs');
  });

  test('a buffer whose file was deleted keeps its text and says so', async () => {
    await using world = await EditorWorld.open({ files: { 'a.txt': 'text' } });
    const page = await world.page();
    await page.open('a.txt');
    await rm(world.scratch.at('a.txt'));
    await page.event('buffer.state', ({ state }) => state.conflict === 'deleted');
    expect((await page.open('a.txt')).text).toBe('text');
  });
});

describe('odd files', () => {
  test('a file of 100 MB is read in parts and never becomes a buffer', async () => {
    await using world = await EditorWorld.open({ files: { 'large.txt': 'é line\n'.repeat(200_000) } });
    await truncate(world.scratch.at('large.txt'), 1_000_000);
    const block = 'x'.repeat(1_048_575);
    for (let part = 0; part < 100; part += 1) await appendFile(world.scratch.at('large.txt'), `${block}\n`);
    const page = await world.page();
    expect(await page.request('buffer.open', { path: 'large.txt' })).toMatchObject({
      kind: 'large',
      bytes: 105_857_600,
    });
    const first = await page.request('file.read', { path: 'large.txt', offset: 0, bytes: 9 });
    // The ninth byte is half of a character, which belongs to the next part.
    expect(first).toEqual({ text: 'é line\n', next: 8, total: 105_857_600 });
    const last = await page.request('file.read', { path: 'large.txt', offset: 105_857_590, bytes: 100 });
    expect(last).toEqual({ text: 'xxxxxxxxx\n', total: 105_857_600 });
    expect(world.editor.buffers.all).toEqual([]);
  });

  test('a binary file is named, and shown as text only read only', async () => {
    const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255]);
    await using world = await EditorWorld.open({ files: { 'a.png': bytes } });
    const page = await world.page();
    expect(await page.request('buffer.open', { path: 'a.png' })).toEqual({
      kind: 'binary',
      bytes: 8,
      format: 'PNG',
    });
    const opened = await page.request('buffer.open', { path: 'a.png', as: 'text' });
    expect(opened).toMatchObject({ kind: 'text', state: { readOnly: 'it is not text' } });
    const push = page.request('buffer.push', { path: 'a.png', version: 0, updates: [] });
    await expect(push).rejects.toMatchObject({ code: 'editor/read-only' });
  });

  test('200,000 lines and a line of 1 MB are edited and saved', async () => {
    const files = { 'lines.txt': 'line\n'.repeat(200_000), 'long.txt': `${'y'.repeat(1_048_576)}!` };
    await using world = await EditorWorld.open({ files });
    const page = await world.page();
    const [lines, long] = [await page.open('lines.txt'), await page.open('long.txt')];
    await lines.replace('line', 'LINE');
    await long.replace('!', '?');
    await page.request('buffer.save', { paths: ['lines.txt', 'long.txt'] });
    expect((await readFile(world.scratch.at('lines.txt'), 'utf8')).slice(0, 10)).toBe('LINE\nline\n');
    expect((await readFile(world.scratch.at('long.txt'), 'utf8')).at(-1)).toBe('?');
  });
});

describe('the tree', () => {
  test('is listed by directory, says what is ignored, and is found by a few characters', async () => {
    await using world = await EditorWorld.open({
      files: {
        'src/cart.ts': '',
        'src/deep/cart-item.ts': '',
        'node_modules/x/cart.ts': '',
        '.gitignore': 'out\n',
        'out/cart.ts': '',
        // Version control and unfinished commits are no part of the tree.
        '.git/config': '',
        '.forerun-tx/1/entry': '',
      },
    });
    const page = await world.page();
    expect((await page.request('file.list', { directory: '' })).entries).toEqual([
      { name: '.gitignore', kind: 'file', isIgnored: false },
      { name: 'node_modules', kind: 'directory', isIgnored: true },
      { name: 'out', kind: 'directory', isIgnored: false },
      { name: 'src', kind: 'directory', isIgnored: false },
    ]);
    const { paths } = await page.request('file.find', { query: 'cart' });
    expect(paths).toEqual(['src/cart.ts', 'src/deep/cart-item.ts']);
    await writeFile(world.scratch.at('src/cartoon.ts'), '');
    await page.event('file.changed', ({ directories }) => directories.includes('src'));
    expect((await page.request('file.find', { query: 'cartoon' })).paths).toEqual(['src/cartoon.ts']);
  });

  test('entries are made, renamed and deleted by commits, and their buffers follow', async () => {
    await using world = await EditorWorld.open({ files: { 'a/one.txt': 'one', 'a/two.txt': 'two' } });
    const page = await world.page();
    expect(await page.request('file.create', { path: 'b/new.txt', kind: 'file' })).toEqual({
      paths: ['b/new.txt'],
    });
    const again = page.request('file.create', { path: 'b/new.txt', kind: 'file' });
    await expect(again).rejects.toMatchObject({ code: 'overlay/file-exists' });
    const buffer = await page.open('a/one.txt');
    await buffer.replace('one', 'unsaved');
    await page.request('file.rename', { from: 'a', to: 'c' });
    const moved = await page.event('buffer.moved');
    expect(moved).toMatchObject({
      from: 'a/one.txt',
      state: { path: 'c/one.txt', version: 1, isUnsaved: true },
    });
    expect(await readFile(world.scratch.at('c/one.txt'), 'utf8')).toBe('one');
    expect((await page.open('c/one.txt')).text).toBe('unsaved');
    const over = page.request('file.rename', { from: 'b/new.txt', to: 'c/two.txt' });
    await expect(over).rejects.toMatchObject({ code: 'overlay/file-exists' });
    await page.request('file.delete', { path: 'c' });
    await page.event('buffer.closed', ({ path }) => path === 'c/one.txt');
    expect((await page.request('file.list', { directory: '' })).entries.map(({ name }) => name)).toEqual([
      'b',
    ]);
    for (const path of ['../x', '/etc/x']) {
      const made = page.request('file.create', { path, kind: 'file' });
      await expect(made).rejects.toMatchObject({ code: 'workspace/outside' });
    }
  });
});

describe('an edit of several files', () => {
  const files = { 'open.txt': 'one\ntwo\n', 'closed.txt': 'one\n' };

  test('keeps what is typed while it is committed, and undo keeps it too', async () => {
    await using world = await EditorWorld.open({ files });
    const { applier, buffers, context } = world.editor;
    const page = await world.page();
    const open = await page.open('open.txt');
    const { workspace, disk } = context.live;
    const [first, second] = [workspace.path('open.txt'), workspace.path('closed.txt')];
    const edited = Overlay.on(buffers.overlay()).writeText(first, 'ONE\ntwo\n').writeText(second, 'ONE\n');
    const edit = await applier.workOut(edited);
    // The disk has changed and the buffer has not yet.
    const typing = new Promise<void>((resolve) => {
      disk.changes.subscribe(() => {
        if (buffers.get(first)?.version === 0) buffers.edit(first, 'one\ntwo\ntyped\n');
        resolve();
      });
    });
    await applier.apply(edit);
    await typing;
    await open.pull();
    expect(open.text).toBe('ONE\ntwo\ntyped\n');
    expect(await readFile(world.scratch.at('closed.txt'), 'utf8')).toBe('ONE\n');
    await applier.undo();
    await open.pull();
    expect(open.text).toBe('one\ntwo\ntyped\n');
    expect(await readFile(world.scratch.at('closed.txt'), 'utf8')).toBe('one\n');
  });

  test('of one group is taken back by one undo, also where the second changed what the first wrote', async () => {
    await using world = await EditorWorld.open({ files });
    const { applier, buffers, context } = world.editor;
    const page = await world.page();
    const open = await page.open('open.txt');
    const path = context.live.workspace.path('open.txt');
    const group = applier.newGroup();
    for (const text of ['ONE\ntwo\n', 'TWO\n']) {
      await applier.apply(await applier.workOut(Overlay.on(buffers.overlay()).writeText(path, text)), {
        group,
      });
    }
    await applier.undo();
    await open.pull();
    expect(open.text).toBe(files['open.txt']);
  });

  test('that deletes a file with unsaved text gives the text back when it is undone', async () => {
    await using world = await EditorWorld.open({ files });
    const page = await world.page();
    await (await page.open('open.txt')).replace('two', 'unsaved');
    await page.request('file.delete', { path: 'open.txt' });
    expect(world.editor.buffers.all).toEqual([]);
    await page.request('code.undo', {});
    expect(await readFile(world.scratch.at('open.txt'), 'utf8')).toBe(files['open.txt']);
    expect((await page.open('open.txt')).text).toBe('one\nunsaved\n');
  });

  test('that renames an open file never reports it as deleted', async () => {
    await using world = await EditorWorld.open({ files });
    const page = await world.page();
    await (await page.open('open.txt')).replace('two', 'unsaved');
    await page.request('file.rename', { from: 'open.txt', to: 'moved.txt' });
    await page.request('code.undo', {});
    await page.event('buffer.moved', ({ state }) => state.path === 'open.txt');
    await page.request('file.rename', { from: 'closed.txt', to: 'other.txt' });
    const conflicts = page.events.flatMap((event) =>
      event.kind === 'buffer.state' || event.kind === 'buffer.moved' ? [event.state.conflict] : [],
    );
    expect(new Set(conflicts)).toEqual(new Set(['none']));
    expect((await page.open('open.txt')).text).toBe('one\nunsaved\n');
  });
});
