/** The page without a pointer: each view is entered by its key, and what is in it is reached from there. */
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { prompt, say } from './support/agent-prompt.ts';
import { judgedWhatIfs, keepWhatIfs } from './support/kept-what-ifs.ts';
import { branchesOf } from './support/merge-branches.ts';
import { shop } from './support/shop.ts';
import { browserTest, type EditorTab, ShownEditor } from './support/shown-editor.ts';

const cart = 'src/cart.ts';

/** The label of what has the focus, or its class where it has none. */
function focused({ page }: EditorTab): Promise<string> {
  return page.evaluate(() => {
    const { activeElement } = document;
    const label = activeElement?.getAttribute('aria-label') ?? activeElement?.closest('label')?.textContent;
    return label ?? activeElement?.className ?? '';
  });
}

async function press({ page }: EditorTab, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

browserTest('each view has the focus after its key', async () => {
  await using model = await ScriptedProvider.open();
  model.script(() => []);
  await using shown = await ShownEditor.open({ files: shop, git: 'committed', model });
  await branchesOf(shown.world.scratch.workspace.root);
  const tab = await shown.page();
  await tab.open(cart);
  const views = [
    [['Control+Shift+e'], 'cart.ts'],
    [['Control+Shift+f'], 'Search'],
    [['Control+Shift+g'], 'Changes'],
    [['Control+k', 'w'], 'What-if'],
    [['Control+k', 'f'], 'Future'],
    [['Control+k', 'a'], 'Message to the agent'],
    [['Control+,'], 'Search settings'],
    [['Control+`'], 'Terminal input'],
    // The first branch that can be chosen.
    [['Control+k', 'm'], /^(feat|fix)\//],
    // The panel with the terminal is still there.
    [['Control+`'], 'Terminal input'],
  ] as const;
  for (const [keys, label] of views) {
    await press(tab, ...keys);
    await expect.poll(() => focused(tab)).toMatch(label);
  }
  // Also after F6 led elsewhere and back.
  await press(tab, 'F6', 'Shift+F6');
  expect(await focused(tab)).toBe('Terminal input');
});

browserTest('places that would break are walked, opened and left', async () => {
  await using shown = await ShownEditor.open({ files: shop });
  const tab = await shown.page();
  await tab.open(cart);
  await tab.caret(cart, { after: 'export function total(items: readonly Item[]): ' });
  await tab.page.keyboard.type('string | ');
  await press(tab, 'Escape');
  await tab.page.locator('.status [data-verdict=break]').waitFor();
  await press(tab, 'Control+k', 'f');
  const place = tab.page.locator('.future li > button:focus');
  await expect.poll(() => place.textContent()).toContain('checkout.ts');
  await press(tab, 'ArrowDown');
  expect(await place.textContent()).toContain('invoice.ts');
  await press(tab, 'Escape');
  expect(await focused(tab)).toBe('cart.ts');
  await press(tab, 'Control+k', 'f');
  await expect.poll(() => place.textContent()).toContain('checkout.ts');
  await press(tab, 'Enter');
  await tab.editor('src/api/checkout.ts').waitFor();
  await expect.poll(() => focused(tab)).toBe('checkout.ts');
  // The tree follows.
  await tab.page.locator('[data-path="src/api/checkout.ts"][aria-selected=true]').waitFor();
});

browserTest('what-ifs are checked, compared, opened and committed', async () => {
  await using shown = await ShownEditor.open({ files: shop });
  await keepWhatIfs(shown);
  const tab = await shown.page();
  await press(tab, 'Control+k', 'w');
  await judgedWhatIfs(tab);
  // The list is in sight: no message repeats it.
  expect(await tab.page.locator('.toast', { hasText: 'New what-if' }).count()).toBe(0);
  const row = tab.page.locator('.wi-open:focus');
  await expect.poll(() => row.count()).toBe(1);
  await press(tab, 'Space', 'ArrowDown', 'Space', 'c');
  await tab.page.getByRole('table', { name: 'Compare A and B' }).waitFor();
  expect(await focused(tab)).toBe('Compare A and B');
  await press(tab, 'Shift+F6');
  await press(tab, 'Control+k', 'w');
  while (!(await row.textContent())?.includes('Round half to even')) await press(tab, 'ArrowDown');
  await press(tab, 'Enter');
  await tab.page.getByRole('region', { name: 'Round half to even' }).waitFor();
  await expect.poll(() => focused(tab)).toBe('Round half to even');
  await press(tab, 'Tab');
  expect(await tab.page.locator(':focus').textContent()).toBe('Commit');
  await press(tab, 'Enter');
  await expect.poll(() => readFile(shown.world.scratch.at(cart), 'utf8')).toContain('Math.round(item.cents)');
});

browserTest('a permission is given from the prompt, and the prompt has the focus again', async () => {
  await using model = await ScriptedProvider.open();
  model.answer([{ call: 'Bash', arguments: { command: 'echo hello' } }], [{ text: 'It said hello.' }]);
  await using shown = await ShownEditor.open({ files: shop, model });
  const tab = await shown.page();
  await say(tab, 'run it');
  const card = tab.page.getByRole('region', { name: 'Permission' });
  await card.waitFor();
  while ((await card.locator(':focus').count()) === 0) await press(tab, 'Shift+Tab');
  await press(tab, 'y');
  await tab.page.locator('.md', { hasText: 'It said hello.' }).waitFor();
  await expect.poll(() => prompt(tab).evaluate((field) => field === document.activeElement)).toBe(true);
});
