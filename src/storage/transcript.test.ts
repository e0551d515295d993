import { appendFile, mkdtemp, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEntries, Transcript } from './transcript.ts';
import { TranscriptStore } from './transcript-store.ts';

async function scratch(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'forerun-transcript-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

test('entries come back in the order they were given, however many at once', async () => {
  await using directory = await scratch();
  await using transcript = new Transcript(join(directory.path, 'a', 'b.jsonl'));
  await Promise.all(Array.from({ length: 50 }, (_, n) => transcript.append({ n })));
  expect(await transcript.read()).toEqual(Array.from({ length: 50 }, (_, n) => ({ n })));
});

test('a record cut anywhere keeps every whole entry, and takes the next one', async () => {
  await using directory = await scratch();
  const path = join(directory.path, 'cut.jsonl');
  const write = async (...texts: readonly string[]): Promise<void> => {
    await using transcript = new Transcript(path);
    for (const text of texts) await transcript.append({ text });
  };
  await write('one', 'two 😀', 'three');
  const { size } = await stat(path);
  const bytes = await readFile(path);
  for (let length = 0; length <= size; length += 1) {
    await rm(path);
    await appendFile(path, bytes.subarray(0, length));
    const whole = bytes.subarray(0, length).filter((byte) => byte === 0x0a).length;
    const kept = ['one', 'two 😀', 'three'].slice(0, whole).map((text) => ({ text }));
    expect(await readEntries(path), `cut at ${length}`).toEqual(kept);
    await write('next');
    await using transcript = new Transcript(path);
    expect(await transcript.read(), `cut at ${length}`).toEqual([...kept, { text: 'next' }]);
  }
});

test('a long torn line is taken off whole', async () => {
  await using directory = await scratch();
  const path = join(directory.path, 'long.jsonl');
  await appendFile(path, `{"n":1}\n{"text":"${'x'.repeat(200_000)}`);
  await using transcript = new Transcript(path);
  await transcript.append({ n: 2 });
  expect(await readFile(path, 'utf8')).toBe('{"n":1}\n{"n":2}\n');
  await truncate(path, 0);
});

test('nobody but the user may read a conversation', async () => {
  await using directory = await scratch();
  const store = new TranscriptStore(directory.path, '/work/app');
  const { id, transcript } = store.create();
  await using kept = transcript;
  await kept.append({ kind: 'opened' });
  expect((await stat(store.directory)).mode & 0o777).toBe(0o700);
  expect((await stat(join(store.directory, `${id}.jsonl`))).mode & 0o777).toBe(0o600);
});

test('conversations are found by the beginning of their id, the latest first', async () => {
  await using directory = await scratch();
  const store = new TranscriptStore(directory.path, '/work/app');
  const other = new TranscriptStore(directory.path, '/work/other');
  expect(await store.list()).toEqual([]);
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const { id, transcript } = store.create();
    await transcript.append({ n });
    await transcript[Symbol.asyncDispose]();
    ids.push(id);
  }
  expect((await store.list()).map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(await other.list()).toEqual([]);
  const [id = ''] = ids;
  expect((await store.find(id.slice(0, 13).toUpperCase())).id).toBe(id);
  await expect(store.find('')).rejects.toMatchObject({ code: 'storage/no-such-transcript' });
  await expect(store.find('zz')).rejects.toThrow(/there is no conversation "zz"/);
  await expect(store.find('../..')).rejects.toThrow();
});
