/** `forerun edit` and what `npm start` runs, as real processes: a verdict, addresses that answer, and a clean end. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { bin } from '../support/built-program.ts';
import { EditorPage } from '../support/editor-page.ts';
import { openFixture } from '../support/fixture.ts';
import { until } from '../support/until.ts';

function start(...words: readonly string[]) {
  const child = spawn(process.execPath, [bin, 'edit', ...words], {
    env: { ...process.env, FORERUN_AUDIT_LOG: 'off', FORERUN_CACHE_DIR: 'off', DISPLAY: undefined },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += String(chunk);
  });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  return { child, ended, printed: () => printed };
}

test('npm start shows one verdict, serves the editor and MCP, and ends when it is interrupted', async () => {
  const { child, ended, printed } = start('--sample');
  const [, editor = '', mcp = '', token = ''] = await until(() => {
    const found =
      /(http:\/\/127\.0\.0\.1:\d+\/#\S+)\s[\s\S]*?(http:\/\/127\.0\.0\.1:\d+) .*Bearer (\S+)\)/.exec(
        printed(),
      );
    if (!found) throw new Error(`not ready: ${printed()}`);
    return found;
  });
  expect(printed()).toContain('broken: 1 error in receipt.ts');
  expect(printed()).toContain('forerun demo');
  using page = await EditorPage.open(editor, {});
  const cart = await page.open('cart.ts');
  await cart.replace('total(', 'totals(');
  await page.event(
    'code.diagnostics',
    ({ diagnostics }) => diagnostics.path === 'cart.ts' && diagnostics.proof === 'proved',
  );
  const root = page.snapshot?.workspace.root ?? '';
  expect(existsSync(root)).toBe(true);
  expect((await fetch(mcp, { method: 'POST' })).status).toBe(401);
  const authorised = await fetch(mcp, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
  expect(authorised.status).not.toBe(401);
  await authorised.text();
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(existsSync(root)).toBe(false);
});

test('forerun edit prints its address as JSON and ends when it is asked to', async () => {
  await using fixture = await openFixture('ts-two-modules');
  const { child, ended, printed } = start(fixture.root, '--no-open', '--json');
  const started = await until(() => JSON.parse(printed()) as { readonly url: string; readonly root: string });
  expect(started.root).toBe(fixture.root);
  using page = await EditorPage.open(started.url, {});
  expect(page.snapshot?.workspace).toMatchObject({ root: fixture.root, isTrusted: false });
  child.kill('SIGTERM');
  expect(await ended).toBe(143);
});
