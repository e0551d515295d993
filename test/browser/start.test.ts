/** The page that is shown where no file is open, and further tabs of one browser. */
import { expect } from 'vitest';
import { shop } from './support/shop.ts';
import { browserTest, ShownEditor } from './support/shown-editor.ts';

browserTest(
  'without an open file there are things to try, recent files, open what-ifs and the keys',
  async () => {
    await using shown = await ShownEditor.open({ files: shop });
    const tab = await shown.page();
    const { page } = tab;
    await page.getByRole('heading', { name: 'See what a change does before you save it' }).waitFor();
    expect(await page.locator('.try').count()).toBe(3);
    expect(await page.getByRole('region', { name: 'Keys' }).textContent()).toContain('Go to fileCtrl P');
    await page.getByRole('button', { name: 'Copy command' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('forerun init');
    await page.getByRole('button', { name: 'Open a file' }).click();
    await page.keyboard.press('Escape');

    await tab.open('src/cart.ts');
    await tab.caret('src/cart.ts', { before: '/** What a list' });
    await page.keyboard.type('/** One. */\n');
    await page.keyboard.press('Alt+w');
    const recent = page.getByRole('region', { name: 'Recent files' });
    await recent.getByText('cart.ts').waitFor();
    // The unsaved text is still there, as a what-if and in its buffer.
    await page.getByRole('region', { name: 'Open what-ifs' }).waitFor();
    await recent.getByRole('button').first().press('Enter');
    await tab.editor('src/cart.ts').waitFor();
    expect(await tab.text('src/cart.ts')).toContain('/** One. */');
  },
);

browserTest('a second tab of the bare address gets in within one browser, and in no other', async () => {
  await using shown = await ShownEditor.open({ files: shop });
  await shown.page();
  const second = await shown.bareTab();
  await second.connected();
  await second.open('src/cart.ts');
  const stranger = await shown.strangePage();
  await stranger.page.goto(shown.world.server.origin);
  await stranger.page.getByText('This page is no longer valid.').waitFor();
});
