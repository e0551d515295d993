/** The card of a change in a chat: real Chromium, the extension's own host, the built program over stdio. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { build } from 'vite';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { McpConnection } from '../support/mcp-connection.ts';
import { until } from '../support/until.ts';
import { startedBrowser } from './support/chromium.ts';

const cardUri = 'ui://forerun/what-if';
const top = fileURLToPath(new URL('../../', import.meta.url));
const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

let browser: Browser;
let hostScript: string;
let ts: Fixture;
let client: McpConnection;
let page: Page;
let said: string[];

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/build-card.ts'], { cwd: top });
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: `${top}test/browser/card-host.ts`, formats: ['iife'], name: 'host', fileName: 'host' },
    },
  });
  hostScript = [built]
    .flat()
    .flatMap((each) => ('output' in each ? each.output : []))
    .flatMap((output) => (output.type === 'chunk' ? [output.code] : []))
    .join('\n');
  browser = await startedBrowser();
});

beforeEach(async () => {
  ts = await openFixture('ts-two-modules');
  client = await McpConnection.open({ client: { capabilities: { extensions } } });
  page = await browser.newPage({ viewport: { width: 760, height: 700 } });
  said = [];
  await page.exposeFunction('callTool', (name: string, args: Record<string, unknown>) =>
    client.client.callTool({ name, arguments: args }),
  );
  await page.exposeFunction('said', async (text: string) => void said.push(text));
  await page.setContent('<!doctype html><html lang="en"><title>Chat</title><body></body></html>');
  await page.addScriptTag({ content: hostScript });
});

afterEach(async () => {
  await page.close();
  await client[Symbol.asyncDispose]();
  await ts[Symbol.asyncDispose]();
});

/** Calls a tool as the model of the chat would, and shows its card. */
async function chat(
  name: string,
  input: Record<string, unknown>,
  look: { theme?: 'light' | 'dark'; width?: number } = {},
): Promise<FrameLocator> {
  const result = await client.client.callTool({ name, arguments: input }, { timeout: 200_000 });
  const { contents } = await client.client.readResource({ uri: cardUri });
  const [content] = contents;
  const html = content && 'text' in content ? content.text : '';
  const shown = { html, theme: look.theme ?? 'light', width: look.width ?? 720, input, result };
  await page.evaluate((card) => window.showCard(card), shown);
  return page.frameLocator('iframe');
}

const signature = { start_line: 1, start_column: 21, end_line: 1, end_column: 30 };

async function session(title: string, newText: string): Promise<string> {
  const created = await client.call('create_simulation_session', {
    workspace_root: ts.root,
    language: 'typescript',
    title,
  });
  const session_id = String(created.json?.session_id);
  await client.call('simulate_edit', {
    session_id,
    file_path: ts.file('math.ts'),
    ...signature,
    new_text: newText,
  });
  return session_id;
}

test('a change that breaks files says which, offers a fix first, and is written only after a second press', async () => {
  const session_id = await session('Take text instead of numbers.', 'a: string');
  const card = await chat('evaluate_session', { session_id, scope: 'workspace' });
  const band = card.getByRole('status');
  await until(async () => expect(await band.textContent()).toMatch(/Breaks 2 files/));
  expect(await band.textContent()).toContain('Proved · 2 files');
  expect(await card.locator('.er').textContent()).toContain('app.ts 3:34');
  await card.getByRole('button', { name: 'Ask for a fix' }).click();
  await until(() => expect(said.join()).toContain('app.ts:3:34'));
  await card.getByRole('button', { name: 'Commit anyway…' }).click();
  expect(await readFile(ts.file('math.ts'), 'utf8')).not.toContain('a: string');
  await card.getByRole('button', { name: 'Commit, and break 2 files' }).click();
  await until(async () => expect(await band.textContent()).toContain('Committed 1 file'));
  expect(await readFile(ts.file('math.ts'), 'utf8')).toContain('add(a: string');
  await card.getByRole('button', { name: 'Undo' }).click();
  await until(async () => expect(await band.textContent()).toContain('Undone'));
  expect(await readFile(ts.file('math.ts'), 'utf8')).not.toContain('a: string');
});

test('a preview that is clean can be written from the chat, though nothing was kept of it', async () => {
  const edit = { file_path: ts.file('math.ts'), ...signature, new_text: 'a: number & {}' };
  const card = await chat('preview_edit', { ...edit, scope: 'workspace' });
  const band = card.getByRole('status');
  await until(async () => expect(await band.textContent()).toContain('Clean'));
  expect(await card.locator('.code').textContent()).toContain('a: number & {}');
  expect(await card.getByRole('button', { name: 'Discard' }).count()).toBe(0);
  await card.getByRole('button', { name: 'Commit 1 file' }).click();
  await until(async () => expect(await band.textContent()).toContain('Committed 1 file'));
  expect(await readFile(ts.file('math.ts'), 'utf8')).toContain('a: number & {}');
});

test('several ways stand in their rank, the best with its button', async () => {
  const worse = await session('Take text.', 'a: string');
  const better = await session('Allow nothing else.', 'a: number & {}');
  const card = await chat('compare_sessions', { session_ids: [worse, better], scope: 'workspace' });
  await until(async () => expect(await card.locator('.rk').count()).toBe(2));
  expect(await card.locator('.rk').first().textContent()).toMatch(/1[\s\S]*Allow nothing else\.[\s\S]*Clean/);
  expect(await card.locator('.rk').last().textContent()).toMatch(/2[\s\S]*Take text\.[\s\S]*Breaks 2 files/);
  await card.locator('.rk').last().getByRole('button', { name: 'Show' }).click();
  expect(await card.locator('.way').textContent()).toContain('add(a: string');
  await card.locator('.rk').first().getByRole('button', { name: 'Commit' }).click();
  await until(async () => expect(await card.getByRole('status').textContent()).toContain('Committed 1 file'));
});

test('a base that changed and a session that is gone are said, and nothing is written', async () => {
  const session_id = await session('Take bigger numbers.', 'a: number & {}');
  const card = await chat('evaluate_session', { session_id, scope: 'workspace' });
  const band = card.getByRole('status');
  await until(async () => expect(await band.textContent()).toContain('Clean'));
  await writeFile(ts.file('math.ts'), '// changed meanwhile\n', { flag: 'a' });
  await card.getByRole('button', { name: 'Commit 1 file' }).click();
  await until(async () => expect(await band.textContent()).toContain('Base changed on disk'));
  expect(await band.textContent()).toContain('math.ts');
  expect(await readFile(ts.file('math.ts'), 'utf8')).not.toContain('number & {}');
  const other = await session('Gone soon.', 'a: number & {}');
  const second = await chat('evaluate_session', { session_id: other, scope: 'workspace' });
  await until(async () => expect(await second.getByRole('status').textContent()).toContain('Clean'));
  await client.call('destroy_session', { session_id: other });
  await second.getByRole('button', { name: 'Commit 1 file' }).click();
  await until(async () =>
    expect(await second.getByRole('status').textContent()).toContain('This what-if no longer exists.'),
  );
  expect(await second.getByRole('button').count()).toBe(0);
});

test('hostile text in a title or a file is text', async () => {
  const session_id = await session(
    '<img src=x onerror="parent.document.title=1">',
    'a: number /* </script><b> */',
  );
  const card = await chat('evaluate_session', { session_id, scope: 'workspace' });
  await until(async () => expect(await card.getByRole('status').textContent()).toContain('Clean'));
  expect(await card.locator('h1').textContent()).toContain('<img src=x');
  expect(await card.locator('img').count()).toBe(0);
  expect(await card.locator('.code').textContent()).toContain('</script><b>');
});

test('a client that shows no cards is given the same listing, resources and answers as ever', async () => {
  await using plain = await McpConnection.open();
  const [theirs, ours] = await Promise.all([plain.client.listTools(), client.client.listTools()]);
  expect(theirs.tools.every(({ _meta }) => _meta === undefined)).toBe(true);
  const linked = ours.tools.filter(({ _meta }) => _meta !== undefined);
  expect(linked.map(({ name }) => name).sort()).toEqual([
    'commit_session',
    'compare_sessions',
    'evaluate_session',
    'preview_edit',
  ]);
  expect(linked.every(({ _meta }) => Object(_meta?.ui).resourceUri === cardUri)).toBe(true);
  expect(ours.tools.map(({ _meta, ...tool }) => tool)).toEqual(theirs.tools);
  const input = { file_path: ts.file('math.ts'), ...signature, new_text: 'a: string', scope: 'workspace' };
  const [plainResult, ownResult] = await Promise.all(
    [plain, client].map(({ client: each }) =>
      each.callTool({ name: 'preview_edit', arguments: input }, { timeout: 200_000 }),
    ),
  );
  expect(plainResult?._meta?.['forerun/what-if']).toBeUndefined();
  expect(ownResult?._meta?.['forerun/what-if']).toBeDefined();
  expect(ownResult?.content.length).toBe(plainResult?.content.length);
  const { resources } = await plain.client.listResources();
  expect(resources.map(({ uri }) => uri)).not.toContain(cardUri);
});
