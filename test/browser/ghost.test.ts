import { expect } from 'vitest';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { say } from './support/agent-prompt.ts';
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
    // At once: a pause between two keys would ask for a ghost of half a line.
    await tab.page.keyboard.insertText('export const right = ');
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
    await tab.page.keyboard.insertText('\nexport const wrong = ');
    // What follows the taken ghost may have been asked for as well.
    await tab.page.locator('[data-item=ghost]', { hasText: /1 of [23] held back/ }).waitFor();
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

browserTest('without a model the rest of a name comes from the language server', async () => {
  await using model = await ScriptedProvider.open();
  await using shown = await ShownEditor.open({
    files: shop,
    model,
    modelState: 'none',
    size: { width: 1920, height: 1080 },
  });
  const tab = await shown.page();
  await tab.page.locator('[data-item=ghost]', { hasText: 'Ghost text: from the language server' }).waitFor();
  await tab.open(cart);
  await tab.caret(cart, { after: "export const home: Currency = 'EUR';\n" });
  await tab.page.keyboard.type('export const none = isEm');
  const ghost = tab.page.locator('.cm-content .ghost');
  await ghost.filter({ hasText: /^pty/ }).waitFor();
  // The popup offers the same name and has Tab; the ghost names the key that takes it now.
  await tab.page.locator('.cm-tooltip-autocomplete').waitFor();
  await expect.poll(() => ghost.locator('kbd').textContent()).toBe('Alt ]');
  await tab.page.keyboard.press('Escape');
  await tab.page.locator('.cm-tooltip-autocomplete').waitFor({ state: 'detached' });
  await expect.poll(() => ghost.locator('kbd').textContent()).toBe('Tab');
  await tab.page.keyboard.press('Tab');
  expect(await tab.text(cart)).toMatch(/export const none = isEmpty$/);
  expect(model.requests).toEqual([]);
});

browserTest('no ghost is asked of a local model while the agent generates on it', async () => {
  await using model = await ScriptedProvider.open();
  let goOn: () => void = () => {};
  const until = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  model.script(({ body }) =>
    body.includes('<cursor/>') ? [{ text: 'total([]);' }] : [{ text: 'Thinking' }, { until }],
  );
  await using shown = await ShownEditor.open({ files: shop, model, size: { width: 1920, height: 1080 } });
  const tab = await shown.page();
  const asked = (): number => model.requests.filter(({ body }) => body.includes('<cursor/>')).length;
  await tab.open(cart);
  await say(tab, 'think');
  const words = tab.page.locator('[data-item=ghost]');
  await words.filter({ hasText: 'Ghost text: paused, the agent is using the model' }).waitFor();
  await tab.caret(cart, { after: "export const home: Currency = 'EUR';\n" });
  await tab.page.keyboard.type('export const one = ');
  await tab.checked(cart);
  // The ghost of the server layer is asked for after the model's would have been.
  await tab.page.keyboard.type('isEm');
  await tab.page.locator('.cm-content .ghost').waitFor();
  expect(asked()).toBe(0);
  goOn();
  await words.filter({ hasText: 'held back' }).waitFor();
  await tab.page.keyboard.press('Escape');
  await tab.page.keyboard.press('Escape');
  await tab.page.keyboard.type('\nexport const two = ');
  await expect.poll(asked).toBeGreaterThan(0);
});
