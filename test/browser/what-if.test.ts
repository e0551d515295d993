/** What-ifs in a real browser: those of an MCP client, committed, compared and ranked from the page. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { editText, moveFile, Overlay } from '../../src/overlay/overlay.ts';
import { Baseline } from '../../src/workspace/baseline.ts';
import { McpConnection } from '../support/mcp-connection.ts';
import { calm } from '../support/world.ts';
import { shop } from './support/shop.ts';
import { browserTest, ShownEditor } from './support/shown-editor.ts';

/** A session of an MCP client that replaces one line. */
async function session(
  client: McpConnection,
  root: string,
  { title, line, text }: { readonly title: string; readonly line: number; readonly text: string },
): Promise<string> {
  const created = await client.call('create_simulation_session', {
    workspace_root: root,
    language: 'typescript',
    title,
  });
  const session_id = String(created.json?.session_id);
  await client.call('simulate_edit', {
    session_id,
    file_path: `${root}/src/cart.ts`,
    start_line: line,
    start_column: 1,
    end_line: line,
    end_column: 999,
    new_text: text,
  });
  return session_id;
}

const better = {
  title: 'Return the number of names.',
  line: 14,
  text: '  return items.map(({ name }) => name).length;',
};
const worse = {
  title: 'Return money from total().',
  line: 9,
  text: 'export function total(items: readonly Item[]): { cents: number } {',
};

browserTest(
  'a session of an MCP client appears within a second, is compared, ranked, committed and undone',
  async () => {
    await using shown = await ShownEditor.open({ files: shop });
    const { root } = shown.world.scratch.workspace;
    await using client = await McpConnection.open({ state: shown.world.home });
    const tab = await shown.page();
    const { page } = tab;
    await page.keyboard.press('Control+k');
    await page.keyboard.press('w');
    const id = await session(client, root, better);
    const madeAt = Date.now();
    const row = page.locator(`[data-what-if="${id}"]`);
    await row.waitFor({ timeout: 20_000 });
    expect(Date.now() - madeAt).toBeLessThan(1_000);
    expect(await row.textContent()).toContain('test');
    await expect.poll(() => row.textContent(), { timeout: 60_000 }).toContain('Clean · 1 file +1 −1');
    const second = await session(client, root, worse);
    const other = page.locator(`[data-what-if="${second}"]`);
    await expect.poll(() => other.textContent(), { timeout: 60_000 }).toContain('Breaks 4 files');
    await row.getByRole('checkbox').check();
    await other.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Rank' }).click();
    await expect.poll(() => row.textContent(), { timeout: 60_000 }).toContain('1st');
    expect(await other.textContent()).toContain('2nd');
    await page.getByRole('button', { name: 'Compare' }).click();
    const table = page.getByRole('table', { name: 'Compare A and B' });
    await expect
      .poll(() => table.textContent(), { timeout: 60_000 })
      .toMatch(/Clean[\s\S]*Breaks 4 files|Breaks 4 files[\s\S]*Clean/);
    await row.locator('.wi-open').click();
    const commit = page.getByRole('button', { name: 'Commit', exact: true });
    await commit.click();
    await expect
      .poll(() => readFile(`${root}/src/cart.ts`, 'utf8'), { timeout: 20_000 })
      .toContain('return items.map(({ name }) => name).length;');
    const committed = page.locator(`[data-what-if="${id}"][data-status="committed"]`);
    await committed.waitFor();
    // The other one was made on the text before.
    await expect.poll(() => other.textContent(), { timeout: 20_000 }).toContain('Base changed on disk');
    await committed.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(() => readFile(`${root}/src/cart.ts`, 'utf8'), { timeout: 20_000 })
      .toBe(shop['src/cart.ts']);
    expect((await client.call('list_sessions')).json).toMatchObject({
      sessions: [{ session_id: id, status: 'committed' }, { session_id: second }],
    });
  },
);

browserTest(
  'a what-if that creates, moves and deletes files is taken into the buffers, and back',
  async () => {
    await using shown = await ShownEditor.open({ files: shop });
    const { scratch, editor } = shown.world;
    const { live, connection } = editor.context;
    const path = (name: string) => scratch.workspace.path(name);
    const disk = (name: string): Promise<string> => readFile(scratch.at(name), 'utf8');
    let overlay = Overlay.on(new Baseline(live.disk.source));
    overlay = overlay.writeText(path('src/voucher.ts'), 'export const gift = 1;\n');
    overlay = await moveFile(overlay, path('src/currency.ts'), path('src/money.ts'));
    overlay = await editText(overlay, path('src/money.ts'), (text) => text.replace("'GBP'", "'CHF'"));
    overlay = await editText(overlay, path('src/cart.ts'), (text) => text.replace('currency.ts', 'money.ts'));
    overlay = overlay.remove(path('src/reports/daily.ts'));
    await connection.sessions.keep({ live, overlay, author: 'an agent', title: 'Vouchers' }, calm);
    const tab = await shown.page();
    const { page } = tab;
    // What the user typed meanwhile stays.
    await tab.open('src/cart.ts');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('// mine\n');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('w');
    await page.locator('.wi-open', { hasText: 'Vouchers' }).click();
    await page.getByRole('button', { name: 'Take into buffers' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('On disk, 1 file is created empty, 1 is moved and 1 is deleted.').waitFor();
    expect(existsSync(scratch.at('src/voucher.ts'))).toBe(false);
    await dialog.getByRole('button', { name: 'Take into buffers' }).click();
    await tab.editor('src/voucher.ts').waitFor();
    expect(await tab.text('src/voucher.ts')).toBe('export const gift = 1;\n');
    const buffer = (name: string): string | undefined => editor.buffers.get(path(name))?.content.text;
    expect(buffer('src/money.ts')).toContain("'CHF'");
    expect(buffer('src/cart.ts')).toMatch(/money\.ts[\s\S]*\/\/ mine\n$/);
    // The text is unsaved; files are where they belong.
    expect(await disk('src/voucher.ts')).toBe('');
    expect(await disk('src/money.ts')).toBe(shop['src/currency.ts']);
    expect(await disk('src/cart.ts')).toBe(shop['src/cart.ts']);
    expect([
      existsSync(scratch.at('src/currency.ts')),
      existsSync(scratch.at('src/reports/daily.ts')),
    ]).toEqual([false, false]);
    await tab.command('Undo the last edit of several files');
    await expect.poll(() => existsSync(scratch.at('src/reports/daily.ts'))).toBe(true);
    await expect.poll(() => buffer('src/cart.ts')).toBe(`${shop['src/cart.ts']}// mine\n`);
    expect(await disk('src/currency.ts')).toBe(shop['src/currency.ts']);
    expect(existsSync(scratch.at('src/voucher.ts'))).toBe(false);
  },
);
