/** What language servers add to the page, by real servers. */
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { sharedEditor } from './support/shared-editor.ts';
import { pythonShop, shop } from './support/shop.ts';
import { browserTest, ShownEditor } from './support/shown-editor.ts';

const showShop = sharedEditor({ files: shop });
const showPython = sharedEditor({ files: pythonShop });

browserTest.each([
  {
    language: 'TypeScript',
    show: showShop,
    path: 'src/cart.ts',
    after: "home: Currency = 'EUR",
    type: 'X',
    message: /EURX/,
  },
  {
    language: 'Python',
    show: showPython,
    path: 'cart.py',
    after: 'return sum(cents)',
    type: ' + "a"',
    message: /Operator|str/,
  },
])(
  '$language: typing an error shows it, and fixing it clears it',
  async ({ show, path, after, type, message }) => {
    await using shown = await show();
    const tab = await shown.page();
    await tab.open(path);
    await tab.command('Problems: show');
    await tab.caret(path, { after });
    await tab.page.keyboard.type(type);
    const marks = tab.page.locator('.cm-diagnostic-error');
    await marks.first().waitFor();
    await tab.page.locator('.problem[data-severity=error]', { hasText: message }).waitFor();
    for (const _ of type) await tab.page.keyboard.press('Backspace');
    await tab.page.locator('.bottom', { hasText: 'No problems in open files.' }).waitFor();
    expect(await marks.count()).toBe(0);
  },
);

browserTest('a hover shows what the server says, and its markup runs nothing', async () => {
  // In short lines: a line wider than the page may be scrolled until the place that is hovered is under something else.
  const hostile = [
    ...[
      '/**',
      ' * <img src=x onerror="window.__ran=1">',
      ' * [link](javascript:window.__ran=1)',
      ' * **bold**',
      ' */',
    ],
    ...['export const odd = 1;', 'odd;', ''],
  ].join('\n');
  await using shown = await ShownEditor.open({ files: { ...shop, 'src/odd.ts': hostile } });
  const tab = await shown.page();
  await tab.open('src/odd.ts');
  await tab.page.locator('.cm-line', { hasText: /^odd;$/ }).hover({ position: { x: 14, y: 10 } });
  const card = tab.page.locator('.hover-card');
  await card.waitFor();
  await expect.poll(() => card.textContent()).toContain('<img src=x onerror="window.__ran=1">');
  expect(await card.locator('strong').textContent()).toBe('bold');
  expect(await card.locator('img, a').count()).toBe(0);
  expect(await tab.page.evaluate(() => Reflect.get(window, '__ran'))).toBeUndefined();
});

browserTest('a completion adds the import it needs, in one undo step', async () => {
  await using shown = await showShop();
  const tab = await shown.page();
  await tab.open('src/reports/daily.ts');
  const before = await tab.text('src/reports/daily.ts');
  await tab.page.keyboard.press('Control+End');
  await tab.page.keyboard.type('export const text = recei');
  await tab.page.keyboard.press('Control+Space');
  const option = tab.page.locator('.cm-tooltip-autocomplete li[aria-selected]');
  await expect.poll(() => option.textContent(), { timeout: 20_000 }).toContain('receipt');
  // The popup has Tab before indentation; a key that comes within moments of the popup is not meant for it.
  await expect
    .poll(async () => {
      // Once the popup has taken the key, another one would indent.
      if (await option.isVisible()) await tab.page.keyboard.press('Tab');
      return await tab.text('src/reports/daily.ts');
    })
    .toContain('text = receipt');
  await expect.poll(() => tab.text('src/reports/daily.ts')).toContain('import { receipt } from');
  expect(await tab.text('src/reports/daily.ts')).toContain('export const text = receipt');
  await tab.page.keyboard.press('Control+z');
  await expect.poll(() => tab.text('src/reports/daily.ts')).toBe(`${before}export const text = recei`);
});

browserTest('completions come up while one types fast, and a click takes one with its import', async () => {
  await using shown = await showShop();
  const tab = await shown.page();
  await tab.open('src/reports/daily.ts');
  await tab.page.keyboard.press('Control+End');
  await tab.page.keyboard.type('export const text = recei');
  const option = tab.page.locator('.cm-tooltip-autocomplete li', { hasText: 'receipt' }).first();
  await option.click();
  await expect.poll(() => tab.text('src/reports/daily.ts')).toContain('import { receipt } from');
  expect(await tab.text('src/reports/daily.ts')).toMatch(/export const text = receipt$/);
  await tab.page.keyboard.type('([])');
  expect(await tab.text('src/reports/daily.ts')).toMatch(/export const text = receipt\(\[\]\)$/);
});

browserTest('a rename changes an open, an unsaved and a closed file, and is undone as a whole', async () => {
  await using shown = await showShop();
  const tab = await shown.page();
  // Unsaved and in no tab.
  await tab.open('src/invoice.ts');
  await tab.page.keyboard.press('Control+End');
  await tab.page.keyboard.type('export const none = total([]);\n');
  await tab.page.keyboard.press('Alt+w');
  await tab.open('src/receipt.ts');
  await tab.open('src/cart.ts');
  await tab.caret('src/cart.ts', { before: 'total(items' });
  await tab.page.keyboard.press('F2');
  const name = tab.page.getByRole('textbox', { name: 'New name' });
  await name.waitFor();
  expect(await name.inputValue()).toBe('total');
  await name.fill('sumOf');
  await name.press('Enter');
  const files = tab.page.getByRole('list', { name: 'Files that change' });
  await files.waitFor();
  const listed = await files.getByRole('listitem').allTextContents();
  expect(listed.map((each) => each.split('.ts')[0]).sort()).toEqual([
    'src/api/checkout',
    'src/cart',
    'src/invoice',
    'src/receipt',
    'test/cart.test',
  ]);
  await tab.page.getByRole('button', { name: 'Rename', exact: true }).click();
  const toast = await tab.toast('Renamed in');
  await expect.poll(() => tab.text('src/cart.ts')).toContain('function sumOf(items');
  const texts = (): string =>
    shown.world.editor.buffers.all.map((each) => `${each.path} ${each.text}`).join('\n');
  await expect.poll(texts).toContain('none = sumOf([])');
  expect(texts()).toContain('sumOf(items).toFixed');
  const disk = (): Promise<string> => readFile(shown.world.scratch.at('src/api/checkout.ts'), 'utf8');
  expect(await disk()).toContain('due: number = sumOf(items)');
  await toast.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(disk).toContain('due: number = total(items)');
  await expect.poll(() => tab.text('src/cart.ts')).toContain('function total(items');
  expect(texts()).not.toContain('sumOf');
});

browserTest('definition, references, symbols and the outline lead to their places', async () => {
  await using shown = await showShop();
  const tab = await shown.page();
  await tab.open('src/receipt.ts');
  await tab.caret('src/receipt.ts', { before: 'total(items)' });
  await expect.poll(() => tab.page.locator('.crumb').textContent()).toBe('srcreceipt.tsreceipt');
  await tab.page.keyboard.press('F12');
  await tab.editor('src/cart.ts').waitFor();
  await expect.poll(() => tab.page.locator('[data-item=caret]').textContent()).toContain('Ln 9,');
  await tab.page.keyboard.press('Shift+F12');
  await tab.page.locator('.bottom .sum', { hasText: 'references to total' }).waitFor();
  await tab.page.locator('.bottom [role=option]', { hasText: 'checkout.ts' }).waitFor();
  await tab.page.keyboard.press('Control+p');
  await tab.page.keyboard.type('#invoice');
  await tab.page
    .locator('#palette-list[data-for="#invoice"] li', { hasText: 'function, src/invoice.ts' })
    .first()
    .click();
  await tab.editor('src/invoice.ts').waitFor();
});

browserTest('a code action is made, and a file is formatted', async () => {
  await using shown = await showShop();
  const tab = await shown.page();
  await tab.open('src/reports/daily.ts');
  await tab.page.keyboard.press('Control+End');
  await tab.page.keyboard.type('export   const a=total([]);');
  await tab.page.locator('.cm-diagnostic-error').first().waitFor();
  await tab.caret('src/reports/daily.ts', { before: 'total([' });
  await tab.page.keyboard.press('Control+.');
  const action = tab.page.getByRole('menuitem', { name: /import/i }).first();
  await action.waitFor();
  await action.click();
  await expect
    .poll(() => tab.text('src/reports/daily.ts'))
    .toMatch(/import \{.*total.*\} from '..\/cart.ts'/);
  await tab.editor('src/reports/daily.ts').focus();
  await tab.page.keyboard.press('Shift+Alt+f');
  await expect.poll(() => tab.text('src/reports/daily.ts')).toContain('export const a = total([]);');
});
