import { expect } from 'vitest';
import { shop } from './support/shop.ts';
import { browserTest, ShownEditor } from './support/shown-editor.ts';

browserTest('what one tab types is in the other tab, and after a reload', async () => {
  await using shown = await ShownEditor.open({ files: shop });
  const first = await shown.page();
  const second = await shown.page();
  await first.open('src/cart.ts');
  await second.open('src/cart.ts');
  await first.caret('src/cart.ts', { after: 'cents: number;' });
  await first.page.keyboard.type('\nsku: string;');
  await expect.poll(() => second.text('src/cart.ts')).toContain('cents: number;\n  sku: string;');
  await second.caret('src/cart.ts', { before: 'name' });
  await second.page.keyboard.type('readonly ');
  await expect.poll(() => first.text('src/cart.ts')).toContain('readonly name');
  await first.page.reload();
  await first.connected();
  await first.editor('src/cart.ts').waitFor();
  expect(await first.text('src/cart.ts')).toBe(await second.text('src/cart.ts'));
  expect(await first.page.locator('[data-tab="src/cart.ts"]').getAttribute('data-unsaved')).toBe('true');
});
