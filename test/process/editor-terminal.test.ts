/** Terminals of the editor over its wire: a real shell on a real pseudo-terminal. */
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EditorPage } from '../support/editor-page.ts';
import { EditorWorld } from '../support/editor-world.ts';
import { until } from '../support/until.ts';

let world: EditorWorld;
let page: EditorPage;

beforeEach(async () => {
  world = await EditorWorld.open({ files: { 'here.txt': 'text\n' }, env: { SHELL: '/bin/sh', PS1: '> ' } });
  page = await world.page();
});

afterEach(() => world[Symbol.asyncDispose]());

/** Reads from the beginning until the output satisfies a claim. */
async function shows(id: string, claim: RegExp, reader: EditorPage = page): Promise<string> {
  let all = '';
  for (let from = 0; !claim.test(all); ) {
    const { start, text } = await reader.request('terminal.read', { id, from });
    if (text === '') throw new Error(`the shell ended after ${JSON.stringify(all)}`);
    all += text;
    from = start + text.length;
  }
  return all;
}

const size = { columns: 80, rows: 24 };

test('a terminal runs the shell of the user in the workspace, with the size that it was given', async () => {
  const { id } = await page.request('terminal.open', size);
  await page.request('terminal.write', { id, text: 'ls; stty size; echo "term=$TERM"\r' });
  const output = await shows(id, /term=xterm-256color/);
  expect(output).toContain('here.txt');
  expect(output).toContain('24 80');
  await page.request('terminal.resize', { id, columns: 100, rows: 30 });
  await page.request('terminal.write', { id, text: 'stty size\r' });
  await shows(id, /30 100/);
  await page.event('terminal.changed', ({ terminals }) => terminals[0]?.columns === 100);
});

test('a page that comes later reads what was shown before, and both see what follows', async () => {
  const { id } = await page.request('terminal.open', size);
  await page.request('terminal.write', { id, text: 'echo fir""st\r' });
  await shows(id, /first/);
  const other = await world.page();
  expect(other.snapshot?.terminals).toMatchObject([{ id, title: 'sh' }]);
  await shows(id, /first/, other);
  await other.request('terminal.write', { id, text: 'echo sec""ond\r' });
  await Promise.all([shows(id, /second/), shows(id, /second/, other)]);
});

test('terminals are apart; a closed one is gone, and its shell has ended', async () => {
  const one = await page.request('terminal.open', size);
  const two = await page.request('terminal.open', size);
  await page.request('terminal.write', { id: one.id, text: 'echo pid=$$.\r' });
  const pid = Number(/pid=(\d+)\./.exec(await shows(one.id, /pid=\d+\./))?.[1]);
  expect(isRunning(pid)).toBe(true);
  await page.request('terminal.close', { id: one.id });
  expect(isRunning(pid)).toBe(false);
  await expect(page.request('terminal.read', { id: one.id, from: 0 })).rejects.toMatchObject({
    code: 'editor/no-such-terminal',
  });
  await page.request('terminal.write', { id: two.id, text: 'echo still""here\r' });
  await shows(two.id, /stillhere/);
});

test('a shell that ends says with which code, and its output stays', async () => {
  const { id } = await page.request('terminal.open', size);
  await page.request('terminal.write', { id, text: 'echo by""e\r' });
  // The library of pseudo-terminals drops what a busy process has not read 200 ms after the shell ended.
  await shows(id, /bye/);
  await page.request('terminal.write', { id, text: 'exit 3\r' });
  await page.event('terminal.changed', ({ terminals }) => terminals[0]?.exitCode === 3);
  const { start, text } = await page.request('terminal.read', { id, from: 0 });
  expect(text).toContain('bye');
  const rest = await page.request('terminal.read', { id, from: start + text.length });
  expect(rest.text).toBe('');
});

test('output without a reader holds nothing up, and is bounded', async () => {
  const { id } = await page.request('terminal.open', size);
  await page.request('terminal.write', { id, text: 'seq 1 120000; echo > done\r' });
  await until(() => expect(existsSync(world.scratch.at('done'))).toBe(true));
  const { start, text } = await (await world.page()).request('terminal.read', { id, from: 0 });
  expect(start).toBeGreaterThan(0);
  expect(text.length).toBeLessThanOrEqual(500_000);
});

test('no shell outlives the editor', async () => {
  const other = await EditorWorld.open({ files: {}, env: { SHELL: '/bin/sh' } });
  const shown = await other.page();
  const { id } = await shown.request('terminal.open', size);
  // A shell that ignores being hung up is killed.
  await shown.request('terminal.write', { id, text: "trap '' HUP; echo pid=$$.\r" });
  const pid = Number(/pid=(\d+)\./.exec(await shows(id, /pid=\d+\./, shown))?.[1]);
  await other[Symbol.asyncDispose]();
  expect(isRunning(pid)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
