/** Search and replacement across files over the wire of the editor, with a scripted server. */
import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FoundFile, SearchHead } from '../../src/editor/protocol/search.ts';
import type { EditorPage } from '../support/editor-page.ts';
import { EditorWorld } from '../support/editor-world.ts';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { until } from '../support/until.ts';

const files = {
  'a.scripted': 'PROVIDES\nfirst word\nlast word\n',
  'b.scripted': 'NEEDS(a.scripted)\r\nword\r\n',
  'src/c.scripted': 'plain words\n',
  'notes.md': 'A Word.\n',
  'ignored/d.scripted': 'word\n',
  '.gitignore': 'ignored/\n',
  'image.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]),
};

let world: EditorWorld;
let page: EditorPage;

beforeEach(async () => {
  world = await EditorWorld.open({ files, definitions: [scriptedDefinition({})] });
  page = await world.page();
});

afterEach(() => world[Symbol.asyncDispose]());

/** The search of this id once it has ended, with everything that was found. */
async function ended(
  id: number,
): Promise<{ readonly head: SearchHead; readonly found: readonly FoundFile[] }> {
  const { search: head } = await page.event(
    'search.changed',
    ({ search }) => search.id === id && search.state.kind !== 'running',
  );
  const found = page.events.flatMap((event) =>
    event.kind === 'search.found' && event.id === id ? event.files : [],
  );
  return { head, found };
}

async function search(query: Parameters<typeof page.request<'search.run'>>[1]): Promise<readonly string[]> {
  const { id } = await page.request('search.run', query);
  const { found } = await ended(id);
  return found.flatMap(({ path, matches }) =>
    matches.map(({ range: { start } }) => `${path}:${start.line}:${start.character}`),
  );
}

test('a search finds every file but ignored ones, each match with its place and lines', async () => {
  const { id } = await page.request('search.run', { text: 'word' });
  const { head, found } = await ended(id);
  expect(head).toMatchObject({ state: { kind: 'complete' }, matches: 5, files: 4, skipped: [] });
  expect(found.map(({ path, matches }) => [path, matches.length])).toEqual([
    ['a.scripted', 2],
    ['b.scripted', 1],
    ['notes.md', 1],
    ['src/c.scripted', 1],
  ]);
  expect(found[0]?.matches[0]).toEqual({
    range: { start: { line: 1, character: 6 }, end: { line: 1, character: 10 } },
    line: { text: 'first word', from: 6, to: 10 },
    above: 'PROVIDES',
    below: 'last word',
  });
});

test.each([
  [{ text: 'Word', isCaseSensitive: true }, ['notes.md:0:2']],
  [
    { text: 'word', isWholeWord: true, include: ['*.scripted'] },
    ['a.scripted:1:6', 'a.scripted:2:5', 'b.scripted:1:0'],
  ],
  [{ text: 'word', include: ['src'] }, ['src/c.scripted:0:6']],
  [{ text: 'word', exclude: ['*.scripted', 'src/**'] }, ['notes.md:0:2']],
  [{ text: '^\\w+$', kind: 'expression' as const, include: ['b.scripted'] }, ['b.scripted:1:0']],
])('the query %o finds what it says', async (query, wanted) => {
  expect(await search(query)).toEqual(wanted);
});

test('unsaved text is searched, not what the disk has', async () => {
  const a = await page.open('a.scripted');
  await a.replace('first word', 'first thing');
  expect(await search({ text: 'thing' })).toEqual(['a.scripted:1:6']);
  expect(await search({ text: 'first word' })).toEqual([]);
});

test('a page that comes later is given the search and its matches', async () => {
  await ended((await page.request('search.run', { text: 'word' })).id);
  const other = await world.page();
  expect(other.snapshot?.search?.head).toMatchObject({ query: { text: 'word' }, matches: 5 });
  expect(other.snapshot?.search?.found.length).toBe(4);
});

test('a change of text after the search is said', async () => {
  const { id } = await page.request('search.run', { text: 'word' });
  expect((await ended(id)).head.isOutdated).toBe(false);
  await (await page.open('a.scripted')).replace('first', 'second');
  await page.event('search.changed', ({ search: { isOutdated } }) => isOutdated);
});

test('an expression that cannot be read is refused, and the search before it stays', async () => {
  const { id } = await page.request('search.run', { text: 'word' });
  await ended(id);
  await expect(page.request('search.run', { text: '(', kind: 'expression' })).rejects.toMatchObject({
    code: 'editor/invalid-expression',
  });
  expect((await world.page()).snapshot?.search?.head.id).toBe(id);
});

test('an expression that takes too long ends the search, not the editor', async () => {
  await writeFile(world.scratch.at('long.txt'), `${'a'.repeat(64)}b\n`);
  const { id } = await page.request('search.run', {
    text: '(a+)+$',
    kind: 'expression',
    include: ['long.txt'],
  });
  expect((await ended(id)).head.state).toMatchObject({ kind: 'failed' });
  expect(await search({ text: 'plain' })).toEqual(['src/c.scripted:0:0']);
});

test('more matches than are kept are cut, and the search says so', async () => {
  await writeFile(world.scratch.at('many.txt'), 'needle\n'.repeat(3000));
  const { id } = await page.request('search.run', { text: 'needle' });
  expect((await ended(id)).head).toMatchObject({ state: { kind: 'cut' }, matches: 2000 });
  const { places } = await page.request('search.plan', { query: { text: 'needle' }, replacement: 'pin' });
  expect(places).toBe(3000);
});

test('a new search ends the one before', async () => {
  const first = await page.request('search.run', { text: 'word' });
  const second = await page.request('search.run', { text: 'plain' });
  await ended(second.id);
  expect((await ended(first.id)).head.state.kind).toBe('stopped');
  const late = page.events.findLastIndex((event) => event.kind === 'search.found' && event.id === first.id);
  const begun = page.events.findIndex(
    (event) => event.kind === 'search.changed' && event.search.id === second.id,
  );
  expect(late).toBeLessThan(begun);
});

test('a replacement says what it would do before it is made, then changes all files, and one undo takes it back', async () => {
  const a = await page.open('a.scripted');
  await a.replace('first word', 'first unsaved word');
  const query = { text: 'PROVIDES|word', kind: 'expression', isCaseSensitive: true } as const;
  const plan = await page.request('search.plan', { query, replacement: '<$&>', without: ['src/c.scripted'] });
  expect(plan.files.map(({ path, lane, places }) => [path, lane, places])).toEqual([
    ['a.scripted', 'live', 3],
    ['b.scripted', 'closed', 1],
  ]);
  expect(plan.files[1]?.shown).toEqual([
    {
      range: { start: { line: 1, character: 0 }, end: { line: 1, character: 4 } },
      line: { text: 'word', from: 0, to: 4 },
      newText: '<word>',
    },
  ]);
  expect((await page.request('future.judgePlan', { plan: plan.plan })).verdict).toEqual({ kind: 'clean' });
  const broken = await page.request('search.plan', { query: { text: 'PROVIDES' }, replacement: 'gone' });
  expect((await page.request('future.judgePlan', { plan: broken.plan })).verdict).toMatchObject({
    kind: 'broken',
    in: ['b.scripted'],
  });
  expect(await readFile(world.scratch.at('b.scripted'), 'utf8')).toBe(files['b.scripted']);
  await page.request('code.apply', { plan: plan.plan });
  await a.pull();
  expect(a.text).toBe('<PROVIDES>\nfirst unsaved <word>\nlast <word>\n');
  expect(await readFile(world.scratch.at('a.scripted'), 'utf8')).toBe(files['a.scripted']);
  expect(await readFile(world.scratch.at('b.scripted'), 'utf8')).toBe('NEEDS(a.scripted)\r\n<word>\r\n');
  await page.request('code.undo', {});
  await a.pull();
  expect(a.text).toBe('PROVIDES\nfirst unsaved word\nlast word\n');
  expect(await readFile(world.scratch.at('b.scripted'), 'utf8')).toBe(files['b.scripted']);
});

test.each(['a buffer', 'the disk'])(
  'a replacement is refused whole when %s changed after it was planned',
  async (where) => {
    const a = await page.open('a.scripted');
    const { plan } = await page.request('search.plan', { query: { text: 'word' }, replacement: 'thing' });
    if (where === 'a buffer') await a.replace('first', 'second');
    else {
      await writeFile(world.scratch.at('b.scripted'), 'another word\n');
      await until(async () =>
        expect(await world.editor.context.live.disk.text(world.scratch.workspace.path('b.scripted'))).toBe(
          'another word\n',
        ),
      );
    }
    await expect(page.request('code.apply', { plan })).rejects.toMatchObject({
      code: 'editor/changed-since',
    });
    await a.pull();
    expect(a.text).toContain('word');
    expect(await readFile(world.scratch.at('src/c.scripted'), 'utf8')).toBe('plain words\n');
  },
);
