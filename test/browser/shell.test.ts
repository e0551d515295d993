/** The shell of the page: connection, tabs, panels, keys. */
import { readFile } from 'node:fs/promises';
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

browserTest('two views of one file in a page show the same text at once', async () => {
  await using shown = await ShownEditor.open({ files: shop });
  const tab = await shown.page();
  await tab.open('src/cart.ts');
  await tab.page.keyboard.press('Control+\\');
  const views = tab.page.locator('[data-file="src/cart.ts"] .cm-content');
  await expect.poll(() => views.count()).toBe(2);
  await tab.caret('src/cart.ts', { before: 'import type' });
  await tab.page.keyboard.type('// both\n');
  const lines = await views.evaluateAll((all) =>
    all.map((each) => each.querySelector('.cm-line')?.textContent),
  );
  expect(lines).toEqual(['// both', '// both']);
  // Slow typing is more than one undo step.
  await expect
    .poll(async () => {
      await tab.page.keyboard.press('Control+z');
      return (await tab.text('src/cart.ts')).startsWith('import type');
    })
    .toBe(true);
});

browserTest('a save writes the file, and the tab loses its mark', async () => {
  await using shown = await ShownEditor.open({ files: shop });
  const tab = await shown.page();
  await tab.open('README.md');
  await tab.caret('README.md', { before: '# Shop' });
  await tab.page.keyboard.type('Hello\n\n');
  const mark = tab.page.locator('[data-tab="README.md"]');
  await expect.poll(() => mark.getAttribute('data-unsaved')).toBe('true');
  await tab.page.keyboard.press('Control+s');
  await expect.poll(() => mark.getAttribute('data-unsaved')).toBe('false');
  expect(await readFile(shown.world.scratch.at('README.md'), 'utf8')).toBe(`Hello\n\n${shop['README.md']}`);
});

browserTest('text typed while the connection is down is sent when it is back', async () => {
  await using shown = await ShownEditor.open({ files: shop });
  const tab = await shown.page();
  await tab.open('README.md');
  await tab.unplug();
  await tab.page.locator('.app[data-link=offline]').waitFor();
  expect(await tab.verdict().textContent()).toContain('Offline · reconnecting, your text is kept');
  await tab.caret('README.md', { before: '# Shop' });
  await tab.page.keyboard.type('offline ');
  await tab.plugIn();
  await tab.connected();
  const buffer = shown.world.editor.buffers;
  await expect.poll(() => buffer.all.map((each) => String(each.text)).join('')).toContain('offline # Shop');
});

browserTest('a page that was away for so long that its files were closed edits them again', async () => {
  await using shown = await ShownEditor.open({ files: shop, absenceMs: 20 });
  const tab = await shown.page();
  await tab.open('README.md');
  await tab.unplug();
  await expect.poll(() => shown.world.editor.buffers.all.length).toBe(0);
  await tab.caret('README.md', { before: '# Shop' });
  await tab.page.keyboard.type('offline ');
  await tab.plugIn();
  await tab.connected();
  const text = (): string | undefined => shown.world.editor.buffers.all[0]?.text.toString();
  await expect.poll(text).toBe(`offline ${shop['README.md']}`);
  await tab.page.keyboard.type('and online ');
  await expect.poll(text).toBe(`offline and online ${shop['README.md']}`);
  expect(await tab.text('README.md')).toBe(`offline and online ${shop['README.md']}`);
});

browserTest(
  'a wrong secret shows that the page is no longer valid, and nothing of the workspace',
  async () => {
    await using shown = await ShownEditor.open({ files: shop });
    const tab = await shown.strangePage();
    await tab.page.goto(`${shown.world.server.origin}/#not-the-secret`);
    await tab.page.getByText('This page is no longer valid.').waitFor();
    expect(await tab.page.locator('body').textContent()).not.toContain('cart');
  },
);

browserTest('the secret leaves the address bar', async () => {
  await using shown = await ShownEditor.open({ files: shop });
  const tab = await shown.page();
  expect(tab.page.url()).toBe(`${shown.world.server.origin}/`);
});

browserTest('F6 walks through every region and comes back', async () => {
  await using shown = await ShownEditor.open({ files: shop });
  const tab = await shown.page();
  await tab.open('src/cart.ts');
  await tab.command('Problems: show');
  const region = (): Promise<string | null | undefined> =>
    tab.page.evaluate(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region'));
  await tab.editor('src/cart.ts').focus();
  const walked = [await region()];
  while (walked.length < 12) {
    await tab.page.keyboard.press('F6');
    walked.push(await region());
    if (walked.at(-1) === 'editor') break;
  }
  const wanted = ['editor', 'bottom', 'status', 'top', 'rail', 'left', 'editor'];
  expect(walked.filter((each) => each !== 'right')).toEqual(wanted);
});

browserTest('files, commands and lines are reached from one field', async () => {
  await using shown = await ShownEditor.open({ files: shop });
  const tab = await shown.page();
  await tab.open('src/cart.ts');
  await tab.page.keyboard.press('Control+p');
  await tab.page.keyboard.type(':9:3');
  await tab.page.locator('#palette-list[data-for=":9:3"] li').waitFor();
  await tab.page.keyboard.press('Enter');
  await expect.poll(() => tab.page.locator('[data-item=caret]').textContent()).toBe('Ln 9, Col 3');
  await tab.page.keyboard.press('F1');
  await tab.page.keyboard.type('left panel');
  await tab.page.locator('#palette-list li', { hasText: 'Left panel' }).waitFor();
  await tab.page.keyboard.press('Enter');
  await tab.page.locator('.left').waitFor({ state: 'detached' });
  await tab.page.keyboard.press('Control+b');
  await tab.page.locator('.left').waitFor();
});

browserTest('a file that opens late leaves the focus where the user went meanwhile', async () => {
  await using shown = await ShownEditor.open({ files: shop });
  const tab = await shown.page();
  await tab.page.keyboard.press('Control+p');
  await tab.page.keyboard.type('README.md');
  await tab.page.locator('#palette-list[data-for="README.md"] li').first().waitFor();
  tab.pauseLink();
  await tab.page.keyboard.press('Enter');
  await tab.page.locator('[data-file="README.md"]').waitFor();
  await tab.page.keyboard.press('Control+Shift+f');
  await tab.page.keyboard.type('to');
  tab.resumeLink();
  await tab.editor('README.md').waitFor();
  await tab.page.keyboard.type('tal');
  expect(await tab.page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('total');
  expect(await tab.text('README.md')).toBe(shop['README.md']);
});

browserTest(
  'what is typed right after a tab was changed or closed goes to the file that is shown',
  async () => {
    await using shown = await ShownEditor.open({ files: shop });
    const tab = await shown.page();
    for (const path of ['README.md', 'src/currency.ts', 'src/cart.ts']) await tab.open(path);
    await tab.page.keyboard.press('Alt+PageUp');
    await tab.page.keyboard.type('// one\n');
    expect(await tab.text('src/currency.ts')).toMatch(/^\/\/ one\n/);
    await tab.page.keyboard.press('Alt+w');
    await tab.page.keyboard.type('// two\n');
    expect(await tab.text('src/cart.ts')).toMatch(/^\/\/ two\n/);
  },
);

browserTest(
  'what was typed is undone after its tab was left, and after it was closed and opened again',
  async () => {
    await using shown = await ShownEditor.open({ files: shop });
    const tab = await shown.page();
    const other = await shown.page();
    await tab.open('README.md');
    await tab.page.keyboard.type('typed ');
    await tab.open('src/cart.ts');
    // Another page changes the file while this one does not show it.
    await other.open('README.md');
    await expect.poll(() => other.text('README.md')).toBe(`typed ${shop['README.md']}`);
    await other.caret('README.md', { after: 'A cart' });
    await other.page.keyboard.type('s');
    await tab.open('README.md');
    await expect.poll(() => tab.text('README.md')).toContain('A carts');
    await tab.undoTo('README.md', (shop['README.md'] ?? '').replace('A cart', 'A carts'));
    await tab.page.keyboard.press('Control+y');
    await expect.poll(() => tab.text('README.md')).toMatch(/^typed # Shop/);
    await tab.page.keyboard.press('Alt+w');
    await tab.editor('README.md').waitFor({ state: 'detached' });
    await tab.open('README.md');
    await tab.undoTo('README.md', (shop['README.md'] ?? '').replace('A cart', 'A carts'));
  },
);

browserTest('the tree is walked, opened and changed by keys', async () => {
  await using shown = await ShownEditor.open({ files: shop });
  const tab = await shown.page();
  await tab.page.keyboard.press('Control+Shift+e');
  await tab.page.locator('[data-path=src]').waitFor();
  await tab.page.locator('[role=treeitem]').first().focus();
  await tab.page.keyboard.press('Home');
  await tab.page.keyboard.press('ArrowRight');
  await tab.page.locator('[data-path="src/api"]').waitFor();
  await tab.page.keyboard.type('cart');
  const row = tab.page.locator('[data-path="src/cart.ts"]');
  await expect.poll(() => row.getAttribute('aria-selected')).toBe('true');
  expect(await row.getAttribute('aria-level')).toBe('2');
  await tab.page.keyboard.press('Enter');
  await tab.editor('src/cart.ts').waitFor();
});

browserTest('a key that the user chose runs the command, in the next page too', async () => {
  await using shown = await ShownEditor.open({ files: shop });
  const tab = await shown.page();
  await tab.page.keyboard.press('Control+,');
  await tab.page.getByRole('searchbox', { name: 'Search settings' }).fill('left panel');
  await tab.page
    .locator('.key-row', { hasText: 'Left panel' })
    .getByRole('button', { name: 'Change…' })
    .click();
  await tab.page.getByRole('textbox', { name: 'Keys' }).fill('Ctrl Shift L');
  await tab.page.keyboard.press('Enter');
  const other = await shown.page();
  await other.page.locator('.left').waitFor();
  await other.page.keyboard.press('Control+Shift+l');
  await other.page.locator('.left').waitFor({ state: 'detached' });
});

browserTest('a theme is chosen at once and kept', async () => {
  await using shown = await ShownEditor.open({ files: shop });
  const tab = await shown.page();
  await tab.command('Settings');
  await tab.page.locator('[data-setting="look.theme"]').getByRole('button', { name: 'Dark' }).click();
  const background = (): Promise<string> =>
    tab.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(await background()).toBe('rgb(21, 23, 27)');
  await tab.page.reload();
  await tab.connected();
  expect(await background()).toBe('rgb(21, 23, 27)');
});
