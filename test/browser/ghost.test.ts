import { expect } from 'vitest';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { shop } from './support/shop.ts';
import { browserTest, ShownEditor } from './support/shown-editor.ts';

const cart = 'src/cart.ts';

browserTest(
  'a ghost is taken by word, kept while the user types along, and a wrong one is withheld',
  async () => {
    await using model = await ScriptedProvider.open();
    model.script((request) =>
      // The two files are told apart by the words before the caret.
      request.body.includes('wrong =<cursor/>') || request.body.includes('wrong = <cursor/>')
        ? [{ text: 'total([]).unknownMember;' }]
        : [{ text: 'total([{ name: "a", cents: 1 }]);' }],
    );
    await using shown = await ShownEditor.open({ files: shop, model, size: { width: 1920, height: 1080 } });
    const tab = await shown.page();
    await tab.open(cart);
    await tab.caret(cart, { after: "export const home: Currency = 'EUR';\n" });
    await tab.page.keyboard.type('export const right = ');
    const ghost = tab.page.locator('.cm-content .ghost');
    await ghost.filter({ hasText: 'total([{ name' }).waitFor();
    await tab.page.keyboard.type('to');
    await ghost.filter({ hasText: /^tal\(/ }).waitFor();
    await tab.page.keyboard.press('Control+ArrowRight');
    expect(await tab.text(cart)).toMatch(/export const right = total$/);
    await tab.page.keyboard.press('Control+ArrowRight');
    expect(await tab.text(cart)).toMatch(/export const right = total\(\[\{$/);
    await tab.page.keyboard.press('Tab');
    expect(await tab.text(cart)).toMatch(/export const right = total\(\[\{ name: "a", cents: 1 \}\]\);$/);
    await tab.page.keyboard.press('Escape');
    await tab.page.keyboard.type('\nexport const wrong = ');
    await tab.page.locator('[data-item=ghost]', { hasText: '1 of 2 held back' }).waitFor();
    expect(await ghost.count()).toBe(0);
  },
);

browserTest('a key that is typed ends the question, through to the provider', async () => {
  await using model = await ScriptedProvider.open();
  model.script(() => [{ until: new Promise(() => {}) }]);
  await using shown = await ShownEditor.open({ files: shop, model });
  const tab = await shown.page();
  await tab.open(cart);
  await tab.caret(cart, { after: "export const home: Currency = 'EUR';\n" });
  await tab.page.keyboard.type('const a = ');
  await expect.poll(() => model.requests.length, { timeout: 30_000 }).toBeGreaterThan(0);
  const [first] = model.requests;
  await tab.page.keyboard.type('x');
  expect(await first?.over).toBe('left');
});
