/** The future of unsaved text in a real browser: announced, asked about, resolved. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { shop } from './support/shop.ts';
import { browserTest, ShownEditor } from './support/shown-editor.ts';

const total = 'readonly Item[]): number {\n  return items.reduce';

browserTest(
  'a break in closed files is announced while typing, asked about before saving, and gone again',
  async () => {
    await using shown = await ShownEditor.open({ files: shop });
    const tab = await shown.page();
    const { page } = tab;
    await tab.open('src/cart.ts');
    await tab.caret('src/cart.ts', { before: total });
    // The type of what total() returns.
    await tab.caret('src/cart.ts', { after: 'export function total(items: readonly Item[]): ' });
    for (let n = 0; n < 'number'.length; n++) await page.keyboard.press('Delete');
    await page.keyboard.type('{ cents: number }');
    await expect
      .poll(() => tab.verdict().textContent(), { timeout: 60_000 })
      .toMatch(/Breaks 4 files · proved/);
    expect(await readFile(shown.world.scratch.at('src/cart.ts'), 'utf8')).toBe(shop['src/cart.ts']);
    await tab.verdict().click();
    const panel = page.locator('[data-view="future"]');
    await expect.poll(() => panel.textContent()).toContain('If you save: breaks 4 files');
    expect(await panel.textContent()).toContain('in 3 files that are not open');
    expect(await panel.textContent()).toContain('Proved');
    // The whole note where there is room after the line; in a window of the default width only the count has any.
    const notes = (): Promise<string[]> => page.locator('.cause-note').allInnerTexts();
    await expect.poll(notes).toEqual(['3 files']);
    await page.setViewportSize({ width: 1920, height: 1080 });
    await expect.poll(notes).toEqual(['breaks 3 files']);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect.poll(notes).toEqual(['3 files']);
    await page.keyboard.press('F8');
    await expect.poll(() => page.locator('[data-tab]').count()).toBe(2);
    await tab.open('src/cart.ts');
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('alertdialog');
    await dialog.waitFor();
    expect(await dialog.textContent()).toContain('src/receipt.ts');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(await readFile(shown.world.scratch.at('src/cart.ts'), 'utf8')).toBe(shop['src/cart.ts']);
    await tab.caret('src/cart.ts', { after: 'readonly Item[]): { cents: number }' });
    for (let n = 0; n < '{ cents: number }'.length; n++) await page.keyboard.press('Backspace');
    await page.keyboard.type('number ');
    await expect.poll(() => tab.verdict().textContent(), { timeout: 60_000 }).toMatch(/Clean · proved/);
    expect(await page.locator('.cause-note').count()).toBe(0);
    await page.keyboard.press('Control+s');
    await expect.poll(() => tab.verdict().textContent()).toContain('No unsaved text');
    expect(await readFile(shown.world.scratch.at('src/cart.ts'), 'utf8')).toContain(
      'readonly Item[]): number  {',
    );
  },
);

browserTest(
  'a file that changed on disk is resolved in its tab, and what is not kept becomes a what-if',
  async () => {
    await using shown = await ShownEditor.open({ files: shop });
    const tab = await shown.page();
    const { page } = tab;
    await tab.open('src/cart.ts');
    await tab.caret('src/cart.ts', { after: "export const home: Currency = '" });
    for (let n = 0; n < 3; n++) await page.keyboard.press('Delete');
    await page.keyboard.type('USD');
    const onDisk = (shop['src/cart.ts'] ?? '').replace("Currency = 'EUR'", "Currency = 'GBP'");
    await writeFile(shown.world.scratch.at('src/cart.ts'), onDisk);
    await expect
      .poll(() => tab.verdict().textContent(), { timeout: 30_000 })
      .toContain('cart.ts changed on disk');
    const ways = page.getByRole('radiogroup', { name: 'Which text to save' });
    await ways.waitFor();
    await expect.poll(() => ways.textContent()).toContain('1 of 1 place still need a choice');
    const save = page.getByRole('button', { name: 'Save the merge' });
    expect(await save.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Use mine' }).click();
    await expect.poll(() => save.isEnabled(), { timeout: 30_000 }).toBe(true);
    expect(await ways.getByRole('radio').last().textContent()).toContain('Clean');
    await save.click();
    await tab.editor('src/cart.ts').waitFor();
    await expect.poll(() => tab.verdict().textContent()).toContain('No unsaved text');
    expect(await readFile(shown.world.scratch.at('src/cart.ts'), 'utf8')).toContain("Currency = 'USD'");
    await page
      .getByRole('button', { name: /what-if/ })
      .first()
      .click();
    await expect.poll(() => page.locator('.wl').textContent()).toContain('cart.ts as it was not saved');
  },
);

browserTest(
  'the result of a conflict is written by hand, with its verdict, and both sides are kept',
  async () => {
    await using shown = await ShownEditor.open({ files: shop });
    const tab = await shown.page();
    const { page } = tab;
    const disk = (): Promise<string> => readFile(shown.world.scratch.at('src/cart.ts'), 'utf8');
    await tab.open('src/cart.ts');
    await tab.caret('src/cart.ts', { after: "export const home: Currency = '" });
    for (let n = 0; n < 3; n++) await page.keyboard.press('Delete');
    await page.keyboard.type('USD');
    const onDisk = (shop['src/cart.ts'] ?? '').replace("Currency = 'EUR'", "Currency = 'GBP'");
    await writeFile(shown.world.scratch.at('src/cart.ts'), onDisk);
    await page.getByRole('button', { name: 'Edit the result by hand' }).click();
    const field = page.getByRole('textbox', { name: 'Text to save' });
    // Where nothing was chosen both texts stand.
    const draft = await field.inputValue();
    expect(draft).toContain("'GBP';\nexport const home: Currency = 'USD';");
    const way = page.getByRole('radio').last();
    await expect.poll(() => way.textContent()).toContain('Breaks');
    const written = draft.replace("export const home: Currency = 'USD';\n", '');
    await field.fill(written.replace("'GBP'", "'EUR'"));
    await expect.poll(() => way.textContent()).toMatch(/as written below.*Clean/);
    await page.getByRole('button', { name: 'Save the merge' }).click();
    await tab.editor('src/cart.ts').waitFor();
    expect(await disk()).toBe(shop['src/cart.ts']);
    await page.locator('.status').getByText('2 what-ifs').waitFor();
  },
);

browserTest('a long check and a save that waits for it say how many files have answered', async () => {
  const hold = join(await mkdtemp(join(tmpdir(), 'forerun-hold-')), 'held');
  const files = { 'a.scripted': 'PROVIDES\n', 'b.scripted': 'NEEDS(a.scripted)\n', 'c.scripted': 'plain\n' };
  try {
    await using shown = await ShownEditor.open({
      files,
      definitions: [scriptedDefinition({ heldWhile: { 'textDocument/diagnostic c.scripted': hold } })],
    });
    const tab = await shown.page();
    await tab.open('a.scripted');
    await tab.page.keyboard.type('one ');
    await expect.poll(() => tab.verdict().textContent()).toMatch(/Clean · proved, 3 files/);
    await writeFile(hold, '');
    await tab.page.keyboard.type('two ');
    await expect.poll(() => tab.verdict().textContent()).toBe('Checking · 2 of 3 files');
    await tab.page.keyboard.press('Control+s');
    await expect.poll(() => tab.verdict().textContent()).toBe('Saving after the check · 2 of 3 files');
    await rm(hold);
    await expect.poll(() => tab.verdict().textContent()).toContain('No unsaved text');
    expect(await readFile(shown.world.scratch.at('a.scripted'), 'utf8')).toBe('one two PROVIDES\n');
  } finally {
    await rm(dirname(hold), { recursive: true, force: true });
  }
});
