/** What language servers know of the structure of code, as the page shows it. */
import { expect } from 'vitest';
import { sharedEditor } from './support/shared-editor.ts';
import { shop } from './support/shop.ts';
import { browserTest } from './support/shown-editor.ts';

const cart = 'src/cart.ts';
const shapes = `export interface Shape {
  area(scale: number, unit: string): number;
}

// #region Square
export class Square implements Shape {
  area(scale: number, unit: string): number {
    return unit.length * scale;
  }
}
// #endregion

export class Round implements Shape {
  area(scale: number): number {
    return scale * 3;
  }
}

export function measure(shape: Shape): number {
  const found = shape.area(2, 'cm');
  return found;
}
`;
const files = { ...shop, 'src/shapes.ts': shapes };
const path = 'src/shapes.ts';

const show = sharedEditor({ files });

browserTest('callers and callees are listed, and lead to their places', async () => {
  await using shown = await show();
  const tab = await shown.page();
  await tab.open(cart);
  await tab.caret(cart, { before: 'total(items' });
  await tab.page.keyboard.press('Control+k');
  await tab.page.keyboard.press('h');
  const rows = tab.page.locator('.bottom [role=option]');
  await tab.page.locator('.bottom .sum', { hasText: 'Calls of total: 5' }).waitFor();
  expect(await rows.filter({ hasText: 'invoice.ts' }).count()).toBe(1);
  await rows.filter({ hasText: 'const due: number = total(items);' }).click();
  await tab.editor('src/api/checkout.ts').waitFor();
  await expect.poll(() => tab.caretText('src/api/checkout.ts')).toContain('total(items)');
  await tab.caret('src/api/checkout.ts', { before: 'checkout(items' });
  await tab.command('Show what this calls');
  await tab.page.locator('.bottom .sum', { hasText: 'What checkout calls: 2' }).waitFor();
  await rows.filter({ hasText: 'export function isEmpty' }).waitFor();
});

browserTest('implementations of an interface are listed', async () => {
  await using shown = await show();
  const tab = await shown.page();
  await tab.open(path);
  await tab.caret(path, { before: 'area(scale: number, unit' });
  await tab.page.keyboard.press('Control+F12');
  await tab.page.locator('.bottom .sum', { hasText: '2 implementations' }).waitFor();
});

browserTest('the signature of a call follows the arguments that are typed', async () => {
  await using shown = await show();
  const tab = await shown.page();
  await tab.open(path);
  await tab.caret(path, { after: 'return found;' });
  await tab.page.keyboard.type('\nshape.area(');
  const card = tab.page.locator('.signature');
  await card.locator('b', { hasText: 'scale: number' }).waitFor();
  await tab.page.keyboard.type('2, ');
  await card.locator('b', { hasText: 'unit: string' }).waitFor();
  await tab.page.keyboard.type("'cm')");
  await card.waitFor({ state: 'detached' });
});

browserTest('types and parameter names appear in the text as soon as they are turned on', async () => {
  await using shown = await show();
  const tab = await shown.page();
  await tab.open(path);
  await tab.checked(path);
  expect(await tab.page.locator('.cm-hint').count()).toBe(0);
  await tab.page.keyboard.press('Control+\\');
  await tab.page.keyboard.press('Control+,');
  const setting = tab.page.locator('[data-setting="code.hints"]').getByRole('switch');
  await setting.click();
  await tab.page.locator('.cm-hint', { hasText: 'scale:' }).first().waitFor();
  await tab.page.locator('.cm-hint', { hasText: ': number' }).first().waitFor();
  expect(await tab.text(path)).toBe(shapes);
  await setting.click();
  await expect.poll(() => tab.page.locator('.cm-hint').count()).toBe(0);
});

browserTest('a fold of the server hides its lines, and the text stays whole', async () => {
  await using shown = await show();
  const tab = await shown.page();
  await tab.open(path);
  await tab.checked(path);
  // The grammar knows no regions.
  await tab.caret(path, { before: '// #region' });
  await expect
    .poll(async () => {
      await tab.page.keyboard.press('Control+Shift+BracketLeft');
      return await tab.page.locator('.cm-foldPlaceholder').count();
    })
    .toBe(1);
  expect(await tab.page.locator('.cm-line', { hasText: 'unit.length' }).count()).toBe(0);
  expect(await tab.text(path)).toBe(shapes);
});

browserTest('names are coloured by their meaning, and stay so after a change', async () => {
  await using shown = await show();
  const tab = await shown.page();
  await tab.open(path);
  const types = tab.page.locator('.cm-token.ty', { hasText: /^Shape$/ });
  await expect.poll(() => types.count()).toBe(4);
  await tab.caret(path, { before: 'export interface' });
  await tab.page.keyboard.type('type Shapes = Shape[];\n');
  await expect.poll(() => types.count()).toBe(5);
  await tab.page.locator('.cm-token.ty', { hasText: /^Shapes$/ }).waitFor();
});
