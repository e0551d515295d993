/** What a person does to files in the tree, and what open buffers and other tabs make of it. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { sharedEditor } from './support/shared-editor.ts';
import { shop } from './support/shop.ts';
import { browserTest, type EditorTab } from './support/shown-editor.ts';

const cart = 'src/cart.ts';
const basket = 'src/basket.ts';

const show = sharedEditor({ files: shop });

browserTest('a new file is on disk, in the tree and open', async () => {
  await using shown = await show();
  const tab = await shown.page();
  await create(tab, 'New file…', 'src/vouchers/voucher.ts');
  await tab.editor('src/vouchers/voucher.ts').waitFor();
  await tab.page.locator('[role=treeitem][data-path="src/vouchers/voucher.ts"]').waitFor();
  expect(await readFile(shown.world.scratch.at('src/vouchers/voucher.ts'), 'utf8')).toBe('');
});

browserTest(
  'a new folder is in the tree before it is on disk, and nothing but its files is written',
  async () => {
    await using shown = await show();
    const tab = await shown.page();
    const at = (path: string): string => shown.world.scratch.at(path);
    await create(tab, 'New folder…', 'src/vouchers/old');
    const row = (path: string) => tab.page.locator(`[role=treeitem][data-path="${path}"]`);
    await row('src/vouchers/old').waitFor();
    expect(await row('src/vouchers/old').getAttribute('aria-label')).toContain('not on disk');
    expect(existsSync(at('src/vouchers'))).toBe(false);
    await create(tab, 'New file…', 'src/vouchers/old/gift.ts');
    await tab.editor('src/vouchers/old/gift.ts').waitFor();
    await expect.poll(() => row('src/vouchers/old').getAttribute('aria-label')).toBe('old');
    expect(await readdir(at('src/vouchers/old'))).toEqual(['gift.ts']);
    // One that stays empty goes without a trace.
    await create(tab, 'New folder…', 'src/empty');
    await choose(tab, 'src/empty');
    await tab.page.keyboard.press('Delete');
    await tab.page.getByRole('button', { name: 'Delete', exact: true }).click();
    await row('src/empty').waitFor({ state: 'detached' });
  },
);

browserTest(
  'a renamed file keeps its unsaved text in every tab, its imports follow, and one undo takes all of it back',
  async () => {
    await using shown = await show();
    const tab = await shown.page();
    const other = await shown.page();
    const disk = (path: string): Promise<string> => readFile(shown.world.scratch.at(path), 'utf8');
    await tab.open('src/receipt.ts');
    for (const each of [tab, other]) await each.open(cart);
    await tab.caret(cart, { before: 'import type' });
    await tab.page.keyboard.type('// unsaved\n');
    await rename(tab, cart, basket);
    const toast = await tab.toast('Imports were updated in');
    for (const each of [tab, other]) {
      await each.page.locator(`[data-tab="${basket}"]`).waitFor();
      expect(await each.page.locator(`[data-tab="${cart}"]`).count()).toBe(0);
      await expect.poll(() => each.text(basket)).toMatch(/^\/\/ unsaved\n/);
    }
    expect(await disk(basket)).toBe(shop[cart]);
    expect(existsSync(shown.world.scratch.at(cart))).toBe(false);
    expect(await disk('src/invoice.ts')).toContain("from './basket.ts'");
    await other.caret(basket, { before: '// unsaved' });
    await other.page.keyboard.type('// typed after it\n');
    await expect.poll(() => tab.text(basket)).toMatch(/^\/\/ typed after it\n\/\/ unsaved\n/);
    await toast.getByRole('button', { name: 'Undo' }).click();
    for (const each of [tab, other]) {
      await each.page.locator(`[data-tab="${cart}"]`).waitFor();
      expect(await each.page.locator(`[data-tab="${basket}"]`).count()).toBe(0);
      await expect.poll(() => each.text(cart)).toMatch(/^\/\/ typed after it\n\/\/ unsaved\n/);
    }
    expect(await disk(cart)).toBe(shop[cart]);
    expect(existsSync(shown.world.scratch.at(basket))).toBe(false);
    expect(await disk('src/invoice.ts')).toBe(shop['src/invoice.ts']);
    await tab.open('src/receipt.ts');
    expect(await tab.text('src/receipt.ts')).toBe(shop['src/receipt.ts']);
    await tab.open(cart);
    await tab.caret(cart, { before: '// typed' });
    await tab.page.keyboard.type('// saved\n');
    await tab.page.keyboard.press('Control+s');
    await expect.poll(() => disk(cart)).toMatch(/^\/\/ saved\n\/\/ typed after it\n\/\/ unsaved\n/);
  },
);

browserTest('a renamed folder takes the open files in it along', async () => {
  await using shown = await show();
  const tab = await shown.page();
  await tab.open('src/api/checkout.ts');
  await rename(tab, 'src/api', 'src/web');
  await tab.page.locator('[data-tab="src/web/checkout.ts"]').waitFor();
  await tab.caret('src/web/checkout.ts', { before: 'import' });
  await tab.page.keyboard.type('// here\n');
  await tab.page.keyboard.press('Control+s');
  await expect
    .poll(() => readFile(shown.world.scratch.at('src/web/checkout.ts'), 'utf8'))
    .toMatch(/^\/\/ here\n/);
});

browserTest('a deleted folder closes its files in every tab, and undo brings it back', async () => {
  await using shown = await show();
  const tab = await shown.page();
  const other = await shown.page();
  for (const each of [tab, other]) await each.open('src/api/checkout.ts');
  await choose(tab, 'src/api');
  await tab.page.keyboard.press('Delete');
  await tab.page.getByRole('button', { name: 'Delete', exact: true }).click();
  const toast = await tab.toast('Deleted api');
  for (const each of [tab, other]) {
    await each.page.locator('[data-tab="src/api/checkout.ts"]').waitFor({ state: 'detached' });
  }
  expect(existsSync(shown.world.scratch.at('src/api'))).toBe(false);
  await toast.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => existsSync(shown.world.scratch.at('src/api/checkout.ts')) && 'back').toBe('back');
  expect(await readFile(shown.world.scratch.at('src/api/checkout.ts'), 'utf8')).toBe(
    shop['src/api/checkout.ts'],
  );
});

async function create(tab: EditorTab, command: string, path: string): Promise<void> {
  await tab.command(command);
  const field = tab.page.getByRole('textbox', { name: 'Path' });
  await field.fill(path);
  await field.press('Enter');
  await field.waitFor({ state: 'detached' });
}

/** Puts the focus on an entry of the tree, whose folders are opened. */
async function choose(tab: EditorTab, path: string): Promise<void> {
  await tab.page.keyboard.press('Control+Shift+e');
  const folders = path.split('/').slice(0, -1);
  for (const [index] of folders.entries()) {
    const folder = folders.slice(0, index + 1).join('/');
    const row = tab.page.locator(`[role=treeitem][data-path="${folder}"]`);
    await row.waitFor();
    if ((await row.getAttribute('aria-expanded')) !== 'true') await row.click();
  }
  const row = tab.page.locator(`[role=treeitem][data-path="${path}"]`);
  await row.click();
  await row.focus();
}

async function rename(tab: EditorTab, from: string, to: string): Promise<void> {
  await choose(tab, from);
  await tab.page.keyboard.press('F2');
  const field = tab.page.getByRole('textbox', { name: 'New path' });
  await field.fill(to);
  await field.press('Enter');
}
