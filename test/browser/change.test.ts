/** Git changes in a real browser: what is listed and judged, staged, shown, discarded and committed from the page. */
import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { gitIn } from '../support/git-workspace.ts';
import { shop } from './support/shop.ts';
import { browserTest, ShownEditor } from './support/shown-editor.ts';

/** `total` answers with another type, which three other files use as a number. */
function broken(): string {
  return (shop['src/cart.ts'] ?? '').replace('Item[]): number {', 'Item[]): string | number {');
}

browserTest(
  'changes are listed with the verdict of the whole change, staged, compared, discarded and committed',
  async () => {
    await using shown = await ShownEditor.open({ files: shop, git: 'committed' });
    const { scratch } = shown.world;
    const { root } = scratch.workspace;
    await gitIn(root, 'config', 'user.name', 'test');
    await gitIn(root, 'config', 'user.email', 'test@localhost');
    await writeFile(scratch.at('src/cart.ts'), broken());
    await writeFile(scratch.at('notes.txt'), 'to do\n');
    const { page } = await shown.page();
    await page.keyboard.press('Control+Shift+g');
    const unstaged = page.locator('[data-list=unstaged]');
    const staged = page.locator('[data-list=staged]');
    const verdict = (part: string) => page.locator(`[data-part=${part}]`);
    await unstaged.locator('[data-change="src/cart.ts"]').waitFor();
    expect(await unstaged.locator('li').count()).toBe(2);
    await expect.poll(() => verdict('all').textContent(), { timeout: 90_000 }).toContain('Breaks 3 files');

    // The branch stands in the top bar.
    await page.locator('.top-branch').filter({ hasText: 'main' }).waitFor();
    await page.getByRole('button', { name: 'cart.ts, src, modified' }).click();
    const diff = page.locator('[data-diff="src/cart.ts"]');
    await diff.locator('.cm-merge-b .cm-changedLine').first().waitFor();
    expect(await diff.locator('.cm-merge-b .cm-changedLine').allTextContents()).toEqual([
      'export function total(items: readonly Item[]): string | number {',
    ]);
    await diff.getByRole('button', { name: 'One column' }).click();
    await diff.locator('.cm-deletedChunk').first().waitFor();

    await page.getByRole('button', { name: 'Stage notes.txt' }).click();
    await staged.locator('[data-change="notes.txt"]').waitFor();
    await page.getByLabel('Message of the commit').fill('Add notes');
    await page.getByRole('button', { name: /^Commit staged/ }).click();
    await expect.poll(() => gitIn(root, 'log', '-1', '--format=%s'), { timeout: 30_000 }).toBe('Add notes\n');
    await staged.waitFor({ state: 'detached' });

    // What breaks something is asked about first, and the safe answer has the focus.
    await expect.poll(() => verdict('all').textContent(), { timeout: 90_000 }).toContain('Breaks 3 files');
    await page.getByLabel('Message of the commit').fill('Break it');
    await page.getByRole('button', { name: 'Commit all…' }).click();
    await page.getByRole('alertdialog').getByText('This commit breaks 3 files').waitFor();
    await page.keyboard.press('Escape');
    expect(await gitIn(root, 'log', '-1', '--format=%s')).toBe('Add notes\n');

    await page.getByRole('button', { name: 'Discard cart.ts…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => readFile(scratch.at('src/cart.ts'), 'utf8')).toBe(shop['src/cart.ts']);
    await page.getByText('No changes since the last commit.').waitFor();
  },
);

browserTest(
  'unsaved text is a change with a verdict; committing it saves it, by keyboard alone',
  async () => {
    await using shown = await ShownEditor.open({ files: shop, git: 'committed' });
    const { scratch } = shown.world;
    const { root } = scratch.workspace;
    await gitIn(root, 'config', 'user.name', 'test');
    await gitIn(root, 'config', 'user.email', 'test@localhost');
    const tab = await shown.page();
    const { page } = tab;
    await tab.open('src/cart.ts');
    await tab.caret('src/cart.ts', { before: '/** What a list' });
    await page.keyboard.type('/** One. */\nexport const one = 1;\n\n');
    await page.keyboard.press('Control+Shift+g');
    await page.locator('[data-list=unstaged] [data-change="src/cart.ts"]').waitFor();
    await expect
      .poll(() => page.locator('[data-part=all]').textContent(), { timeout: 90_000 })
      .toContain('Clean');
    expect(await gitIn(root, 'status', '--porcelain')).toBe('');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Message of the commit');
    await page.keyboard.type('Add one');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => gitIn(root, 'log', '-1', '--format=%s'), { timeout: 60_000 }).toBe('Add one\n');
    expect(await readFile(scratch.at('src/cart.ts'), 'utf8')).toContain('export const one = 1;');
    expect(await gitIn(root, 'status', '--porcelain')).toBe('');
  },
);

browserTest(
  'the view of changes has the focus before there is one, and its message field as soon as there is',
  async () => {
    await using shown = await ShownEditor.open({ files: shop, git: 'committed' });
    const { page } = await shown.page();
    await page.keyboard.press('Control+Shift+g');
    await page.getByText('No changes since the last commit.').waitFor();
    const focused = (): Promise<string | null | undefined> =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    expect(await focused()).toBe('Changes');
    await writeFile(shown.world.scratch.at('notes.txt'), 'to do\n');
    await expect.poll(focused, { timeout: 30_000 }).toBe('Message of the commit');
    await page.keyboard.type('Notes');
    expect(await page.getByLabel('Message of the commit').inputValue()).toBe('Notes');
    // F6 leads there and not to the edge of the panel.
    await page.keyboard.press('Shift+F6');
    await page.keyboard.press('F6');
    expect(await focused()).toBe('Message of the commit');
  },
);

browserTest('a folder without git says so', async () => {
  await using shown = await ShownEditor.open({ files: shop });
  const { page } = await shown.page();
  await page.keyboard.press('Control+Shift+g');
  await page.getByText('No git repository here').waitFor();
});

browserTest(
  'the gutter shows what differs from the last commit while one types, and reverts it',
  async () => {
    await using shown = await ShownEditor.open({ files: shop, git: 'committed' });
    const { scratch } = shown.world;
    const tab = await shown.page();
    const { page } = tab;
    await tab.open('src/cart.ts');
    const bars = (kind: string) => page.locator(`.cm-changeGutter .change-bar.${kind}`);
    await page.locator('.top-branch').waitFor();
    await tab.caret('src/cart.ts', { before: 'export const home' });
    await page.keyboard.type('export const added = 1;\n');
    await expect.poll(() => bars('added').count()).toBe(1);
    await tab.caret('src/cart.ts', { after: '  return items.length' });
    await page.keyboard.type(' + 0');
    await expect.poll(() => bars('changed').count()).toBe(1);
    await tab.caret('src/cart.ts', { before: '  cents: number;\n' });
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Delete');
    await expect.poll(() => bars('removed').count()).toBe(1);

    // A click shows the old line; the button brings it back.
    await bars('changed').click();
    const old = page.getByRole('group', { name: 'Lines of the last commit' });
    expect(await old.locator('pre').textContent()).toBe('  return items.length;');
    await old.getByRole('button', { name: 'Revert' }).click();
    await expect.poll(() => bars('changed').count()).toBe(0);
    expect(await tab.text('src/cart.ts')).toContain('  return items.length;\n');

    // By keyboard: to the next change, its old lines, and back.
    await tab.caret('src/cart.ts', { before: 'import type' });
    await page.keyboard.press('Alt+F5');
    await page.keyboard.press('Alt+F3');
    expect(await old.locator('pre').textContent()).toContain('cents: number;');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Revert');
    await page.keyboard.press('Enter');
    await expect.poll(() => bars('removed').count()).toBe(0);
    await page.keyboard.press('Shift+Alt+F5');
    await page.keyboard.press('Alt+F3');
    await page.getByText('Not in the last commit').waitFor();
    await page.keyboard.press('Escape');
    await old.waitFor({ state: 'detached' });

    // A commit outside moves the base.
    await page.keyboard.press('Control+s');
    await expect
      .poll(() => readFile(scratch.at('src/cart.ts'), 'utf8'), { timeout: 30_000 })
      .toContain('added = 1');
    await gitIn(scratch.workspace.root, 'commit', '-q', '-a', '-m', 'second');
    await expect.poll(() => bars('added').count(), { timeout: 20_000 }).toBe(0);
  },
);
