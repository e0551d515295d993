import { expect, test, vi } from 'vitest';
import { Publications } from './diagnostic.ts';

const forever = new AbortController().signal;
const a = 'file:///a.ts';
const b = 'file:///b.ts';

function publish(publications: Publications, uri: string, version?: number): void {
  publications.receive({ uri, diagnostics: [], ...(version !== undefined && { version }) });
}

test('a publication is found under any spelling of its document', () => {
  const publications = new Publications(forever);
  publish(publications, 'file:///src/%5Bid%5D%2B.ts');
  expect(publications.latest('file:///src/[id]+.ts')?.sequence).toBe(1);
});

test('only what is received after the call satisfies a wait', async () => {
  const publications = new Publications(forever);
  publish(publications, a, 1);
  const next = publications.waitFor(({ version }) => (version ?? 0) >= 1, forever);
  publish(publications, b);
  publish(publications, a, 2);
  expect(await next).toMatchObject({ uri: a, version: 2, sequence: 3 });
});

test('the quiet window opens when every document was heard of and starts again with each publication', async () => {
  vi.useFakeTimers();
  try {
    const publications = new Publications(forever);
    publish(publications, a);
    let settled = false;
    const quiet = publications.waitQuiet([a, b], 1, 100, forever).finally(() => {
      settled = true;
    });
    const after = async (milliseconds: number) => {
      await vi.advanceTimersByTimeAsync(milliseconds);
      return settled;
    };
    expect(await after(1000)).toBe(false);
    publish(publications, b);
    expect(await after(1000)).toBe(false);
    publish(publications, a);
    expect(await after(99)).toBe(false);
    publish(publications, b);
    publish(publications, 'file:///unrelated.ts');
    expect(await after(99)).toBe(false);
    expect(await after(1)).toBe(true);
    expect((await quiet).map(({ sequence }) => sequence)).toEqual([3, 4]);
  } finally {
    vi.useRealTimers();
  }
});

test('whoever waits hears when the server or the caller is gone', async () => {
  const life = new AbortController();
  const publications = new Publications(life.signal);
  const caller = new AbortController();
  const mine = publications.waitFor(() => true, caller.signal);
  const others = [publications.waitFor(() => true, forever), publications.waitQuiet([a], 0, 1, forever)];
  caller.abort('left');
  await expect(mine).rejects.toBe('left');
  life.abort('crashed');
  for (const other of others) await expect(other).rejects.toBe('crashed');
  await expect(publications.waitFor(() => true, forever)).rejects.toBe('crashed');
});
