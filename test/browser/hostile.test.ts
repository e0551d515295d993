/** What a workspace may contain that a page must survive: hostile names and texts, and files that are not ordinary text. */
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { browserTest, ShownEditor } from './support/shown-editor.ts';

const script = '<img src=x onerror="window.__ran=1"><script>window.__ran=1</script>';

browserTest('a file name with markup is shown as it is, and runs nothing', async () => {
  const name = `${script.replaceAll('/', '')}.md`;
  await using shown = await ShownEditor.open({ files: { [name]: `${script}\n`, 'a.md': '# A\n' } });
  const tab = await shown.page();
  const row = tab.page.locator('[role=treeitem]', { hasText: 'onerror' });
  await row.dblclick();
  await tab.page.locator('.cm-content').waitFor();
  expect(await tab.page.locator('.tab .tab-name').textContent()).toBe(name);
  await tab.page.keyboard.press('Control+p');
  await tab.page.keyboard.type('onerror');
  await tab.page.locator('#palette-list[data-for=onerror] li').waitFor();
  expect(await tab.page.evaluate(() => Reflect.get(window, '__ran'))).toBeUndefined();
  expect(await tab.page.locator('.app img, #palette-list img').count()).toBe(0);
});

browserTest('a link out of the workspace is named and not followed', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'forerun-outside-'));
  await writeFile(join(outside, 'secret.md'), 'the secret of another folder\n');
  await using shown = await ShownEditor.open({ files: { 'a.md': '# A\n' } });
  await symlink(join(outside, 'secret.md'), shown.world.scratch.at('link.md'));
  await symlink(outside, shown.world.scratch.at('folder'));
  const tab = await shown.page();
  await tab.page.locator('[data-path="link.md"]').dblclick();
  await tab.page.locator('[role=tabpanel]', { hasText: 'outside' }).waitFor();
  await tab.page.locator('[data-path=folder]').click();
  await tab.open('a.md');
  expect(await tab.page.locator('body').textContent()).not.toContain('secret');
  await rm(outside, { recursive: true });
});

browserTest('a page of another origin gets nothing, in a browser that has entered', async () => {
  await using shown = await ShownEditor.open({ files: { 'a.md': '# A\n' } });
  const { origin } = shown.world.server;
  const tab = await shown.page();
  const context = tab.page.context();
  const second = await context.newPage();
  const [socket] = await Promise.all([second.waitForEvent('websocket'), second.goto(origin)]);
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>other</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stranger = await context.newPage();
  // Another port of the same machine: the browser sends the cookie along.
  await stranger.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const got = await stranger.evaluate(
    async ([page, link]) => {
      const read = await fetch(page, { credentials: 'include' }).then(
        (response) => response.text(),
        () => 'refused',
      );
      const connected = await new Promise<string>((resolve) => {
        const attempt = new WebSocket(link);
        attempt.onopen = () => resolve('open');
        attempt.onerror = () => resolve('refused');
      });
      const frame = document.createElement('iframe');
      const loaded = new Promise((resolve) => {
        frame.onload = resolve;
      });
      frame.src = page;
      document.body.append(frame);
      await loaded;
      return { read, connected };
    },
    [origin, socket.url()] as const,
  );
  expect(got).toEqual({ read: 'refused', connected: 'refused' });
  expect(stranger.frames().map((frame) => frame.url())).not.toContain(`${origin}/`);
  expect(await stranger.frames().at(-1)?.locator('.app').count()).toBe(0);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

browserTest('a binary file says what it is and shows no text', async () => {
  const bytes = new Uint8Array(48_000).map((_, index) => (index * 7) % 256);
  await using shown = await ShownEditor.open({ files: { 'logo.png': bytes } });
  const tab = await shown.page();
  await tab.page.locator('[data-path="logo.png"]').dblclick();
  const note = tab.page.locator('[data-note=binary]');
  await note.waitFor();
  expect(await note.textContent()).toContain('This is not text (PNG, 48 kB).');
});

browserTest('a binary file is opened as text when the user asks for it, read only', async () => {
  const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 0x0a]);
  await using shown = await ShownEditor.open({ files: { 'logo.png': bytes } });
  const tab = await shown.page();
  await tab.page.locator('[data-path="logo.png"]').dblclick();
  await tab.page.getByRole('button', { name: 'Open as text anyway' }).click();
  await tab.editor('logo.png').waitFor();
  expect(await tab.text('logo.png')).toContain('hello');
  await tab.editor('logo.png').click();
  await tab.page.keyboard.type('typed');
  expect(await tab.text('logo.png')).not.toContain('typed');
  expect(await readFile(shown.world.scratch.at('logo.png'))).toEqual(Buffer.from(bytes));
});

browserTest('a file of 100 MB is not loaded into the page', async () => {
  await using shown = await ShownEditor.open({
    files: { 'big.log': `${'x'.repeat(99)}\n`.repeat(1_040_000) },
  });
  const tab = await shown.page();
  await tab.page.locator('[data-path="big.log"]').dblclick();
  const note = tab.page.locator('[data-note=large]');
  await note.waitFor();
  expect(await note.textContent()).toContain('This file has 104 MB.');
  await tab.page.getByRole('button', { name: 'Open' }).click();
  const part = tab.page.locator('.large-part');
  await expect.poll(async () => (await part.textContent())?.length).toBe(262_144);
  expect(await tab.page.locator('.large-text .note').textContent()).toContain('Read only, and not checked.');
  await tab.page.getByRole('button', { name: 'Next part' }).click();
  await expect
    .poll(() => tab.page.locator('.large-text .note').textContent())
    .toContain('Shown from 262 kB on, of 104 MB.');
});

browserTest('a line of 1 MB and a file of 200,000 lines are opened and typed in', async () => {
  const long = 'a'.repeat(2 ** 20);
  const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index}`).join('\n');
  await using shown = await ShownEditor.open({ files: { 'long.js': `${long}\n`, 'many.txt': `${lines}\n` } });
  const tab = await shown.page();
  await tab.open('long.js');
  const note = tab.page.locator('[data-note=long-line]');
  await note.waitFor();
  expect(await note.textContent()).toBe('Line 1 has 1,048,576 characters. Colours are off in this file.');
  await tab.page.keyboard.press('Control+Home');
  await tab.page.keyboard.type('b');
  await expect
    .poll(() => shown.world.editor.buffers.all.find(({ path }) => path === 'long.js')?.isUnsaved)
    .toBe(true);
  await tab.open('many.txt');
  await tab.page.keyboard.press('Control+End');
  await tab.page.keyboard.type('the end');
  await expect.poll(() => tab.page.locator('[data-item=caret]').textContent()).toBe('Ln 200001, Col 8');
});
