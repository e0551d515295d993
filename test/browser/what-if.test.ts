/** What-ifs in a real browser: those of an MCP client, committed, compared and ranked from the page. */
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { McpConnection } from '../support/mcp-connection.ts';
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
