/** Search and replacement across files in a real browser. */
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { shop } from './support/shop.ts';
import { browserTest, ShownEditor } from './support/shown-editor.ts';

browserTest('a search by keyboard lists matches by file, opens one, and survives a reload', async () => {
  await using shown = await ShownEditor.open({ files: shop });
  const tab = await shown.page();
  const { page } = tab;
  await tab.open('src/cart.ts');
  await tab.caret('src/cart.ts', { after: 'export function ' });
  await page.keyboard.type('my');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+f');
  await page.keyboard.type('total(');
  const summary = page.locator('.search-summary');
  await expect.poll(() => summary.textContent()).toContain('6 matches in 5 files');
  const list = page.getByRole('listbox', { name: 'Matches' });
  // The unsaved text of the buffer is searched: mytotal.
  expect(await list.textContent()).toContain('… function mytotal(items');
  await page.getByRole('button', { name: 'Whole word' }).click();
  await expect.poll(() => summary.textContent()).toContain('5 matches in 4 files');
  await page.getByRole('button', { name: 'Which files…' }).click();
  await page.getByRole('textbox', { name: 'Files to include' }).fill('src/api');
  await expect.poll(() => summary.textContent()).toContain('1 match in 1 file');
  await list.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await tab.editor('src/api/checkout.ts').waitFor();
  await page.reload();
  await tab.connected();
  await expect.poll(() => summary.textContent()).toContain('1 match in 1 file');
  expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('total(');
});

browserTest(
  'an expression that cannot be read says so, and no match says how much was searched',
  async () => {
    await using shown = await ShownEditor.open({ files: shop });
    const { page } = await shown.page();
    await page.keyboard.press('Control+Shift+f');
    await page.getByRole('button', { name: 'Expression' }).click();
    await page.getByRole('textbox', { name: 'Search' }).fill('(');
    await expect.poll(() => page.getByRole('alert').allTextContents()).toHaveLength(1);
    expect((await page.getByRole('alert').allTextContents()).join()).toContain('is not a regular expression');
    await page.getByRole('textbox', { name: 'Search' }).fill('zz+top');
    await expect
      .poll(() => page.locator('.search-summary').textContent())
      .toMatch(/No matches for “zz\+top”\. \d+ files searched\./);
  },
);

browserTest(
  'a replacement shows its verdict before it is made, changes open and closed files, and is undone at once',
  async () => {
    await using shown = await ShownEditor.open({ files: shop });
    const tab = await shown.page();
    const { page } = tab;
    const onDisk = (path: string): Promise<string> => readFile(shown.world.scratch.at(path), 'utf8');
    await tab.open('src/cart.ts');
    await page.keyboard.press('Control+Shift+h');
    await page.getByRole('textbox', { name: 'Search' }).fill('isEmpty');
    await page.getByRole('textbox', { name: 'Replace with' }).fill('hasNothing');
    const box = page.locator('.replace-box');
    await expect
      .poll(() => box.textContent(), { timeout: 60_000 })
      .toContain('Replacing all is clean, proved');
    // Without the file that declares it, its callers break.
    await page.getByRole('option', { name: /^cart\.ts/ }).click();
    await expect.poll(() => box.textContent(), { timeout: 60_000 }).toContain('Replacing all breaks 1 file');
    await page.getByRole('button', { name: 'Show errors' }).click();
    expect(await page.locator('.replace-errors').textContent()).toContain('checkout.ts:1');
    await page.getByRole('option', { name: /^cart\.ts/ }).click();
    await expect.poll(() => box.textContent(), { timeout: 60_000 }).toContain('Replacing all is clean');
    expect(await onDisk('src/api/checkout.ts')).toBe(shop['src/api/checkout.ts']);
    await page.getByRole('button', { name: 'Replace all…' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.waitFor();
    expect(await dialog.textContent()).toContain('Replace 3 places in 2 files?');
    await dialog.getByRole('button', { name: 'Replace all' }).click();
    await expect.poll(() => onDisk('src/api/checkout.ts')).toContain('if (hasNothing(items))');
    await expect.poll(() => tab.text('src/cart.ts')).toContain('function hasNothing(');
    expect(await onDisk('src/cart.ts')).toBe(shop['src/cart.ts']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => onDisk('src/api/checkout.ts')).toBe(shop['src/api/checkout.ts']);
    await expect.poll(() => tab.text('src/cart.ts')).toBe(shop['src/cart.ts']);
  },
);

browserTest('a rename shows its verdict under the list of files', async () => {
  await using shown = await ShownEditor.open({ files: shop });
  const tab = await shown.page();
  const { page } = tab;
  await tab.open('src/cart.ts');
  await tab.checked('src/cart.ts');
  await tab.caret('src/cart.ts', { after: 'export function isEm' });
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'New name' }).fill('hasNothing');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.locator('[data-plan-verdict]').textContent(), { timeout: 60_000 })
    .toMatch(/Clean · proved/);
});

browserTest('an expression that takes for ever holds up no key', async () => {
  const trap = `${'a'.repeat(60)}b\n`;
  await using shown = await ShownEditor.open({ files: { 'trap.md': trap, 'notes.md': '# Notes\n' } });
  const tab = await shown.page();
  const { page } = tab;
  await tab.open('notes.md');
  await page.keyboard.press('Control+Shift+f');
  await page.getByRole('button', { name: 'Expression' }).click();
  const field = page.getByRole('textbox', { name: 'Search' });
  await field.fill('(a+)+$');
  // What is typed reaches the back end while the expression is at work; once is enough on a machine under load.
  const buffer = (): string => shown.world.editor.buffers.all.map(({ text }) => String(text)).join('');
  await expect
    .poll(async () => {
      const before = buffer();
      await field.press('Enter');
      await tab.caret('notes.md', { before: '# Notes' });
      await page.keyboard.type('x');
      await expect.poll(buffer).toBe(before.replace('# Notes', 'x# Notes'));
      return shown.world.editor.snapshot().search?.head.state.kind;
    })
    .toBe('running');
  await page.getByText('takes too long').waitFor();
});
