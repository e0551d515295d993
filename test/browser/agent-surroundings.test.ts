/** What goes to the agent along with a message, and what its commands see. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { prompt, say } from './support/agent-prompt.ts';
import { shop } from './support/shop.ts';
import { browserTest, ShownEditor } from './support/shown-editor.ts';

browserTest('a file and a symbol that are mentioned go along with the message', async () => {
  await using model = await ScriptedProvider.open();
  model.answer([{ text: 'Seen.' }]);
  await using shown = await ShownEditor.open({ files: shop, model });
  const tab = await shown.page();
  // Its server knows the symbols.
  await tab.open('src/receipt.ts');
  const field = prompt(tab);
  await field.click();
  await tab.page.keyboard.type('compare @currenc');
  const list = tab.page.getByRole('listbox', { name: 'Files and symbols' });
  await list.getByRole('option', { name: 'currency.ts src', exact: true }).waitFor();
  await tab.page.keyboard.press('Enter');
  expect(await field.inputValue()).toBe('compare @src/currency.ts ');
  await tab.page.keyboard.type('with @isEmp');
  const symbol = list.getByRole('option', { name: /isEmpty/ });
  await symbol.waitFor();
  await symbol.click();
  expect(await field.inputValue()).toBe('compare @src/currency.ts with @isEmpty ');
  await tab.page.keyboard.press('Enter');
  await tab.page.locator('.md', { hasText: 'Seen.' }).waitFor();
  const body = model.requests.at(-1)?.body ?? '';
  expect(body).toContain(
    "<mentioned>\\nsrc/currency.ts:\\n1\\texport type Currency = 'EUR' | 'USD' | 'GBP';",
  );
  expect(body).toContain('<mentioned>\\nisEmpty, at src/cart.ts:17:\\n17\\texport function isEmpty(');
  expect(body).toContain('compare @src/currency.ts with @isEmpty');
});

browserTest('Enter right after a mention was clicked sends the message', async () => {
  await using model = await ScriptedProvider.open();
  model.answer([{ text: 'Seen.' }]);
  await using shown = await ShownEditor.open({ files: shop, model });
  const tab = await shown.page();
  await prompt(tab).click();
  await tab.page.keyboard.type('read @currency');
  const option = tab.page.getByRole('option', { name: 'currency.ts src', exact: true });
  await option.waitFor();
  // Both within one task: nothing is painted in between.
  await option.evaluate(async (element) => {
    element.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, cancelable: true }));
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(enter);
  });
  await tab.page.locator('.md', { hasText: 'Seen.' }).waitFor();
  expect(model.requests.at(-1)?.body).toContain('read @src/currency.ts');
});

browserTest('Enter on the mentions of an earlier text takes what fits the text', async () => {
  await using model = await ScriptedProvider.open();
  await using shown = await ShownEditor.open({ files: shop, model });
  const tab = await shown.page();
  await prompt(tab).click();
  await tab.page.keyboard.type('@r');
  await tab.page.getByRole('option', { name: 'README.md' }).waitFor();
  tab.pauseLink();
  await tab.page.keyboard.type('outes');
  await tab.page.keyboard.press('Enter');
  expect(await prompt(tab).inputValue()).toBe('@routes');
  tab.resumeLink();
  await expect.poll(() => prompt(tab).inputValue()).toBe('@src/api/routes.ts ');
});

browserTest('a command of the agent sees unsaved text, and writes nothing to the disk', async () => {
  const command = 'cp README.md COPY.md && cat COPY.md';
  await using model = await ScriptedProvider.open();
  // Typing asks for ghosts, too.
  model.script(({ body }) => {
    if (body.includes('<cursor/>')) return [];
    return body.includes(command) ? [{ text: 'It says so.' }] : [{ call: 'Bash', arguments: { command } }];
  });
  await using shown = await ShownEditor.open({ files: shop, model });
  const tab = await shown.page();
  await tab.open('README.md');
  await tab.caret('README.md', { before: '# Shop' });
  await tab.page.keyboard.type('Not saved yet\n\n');
  await say(tab, 'what does the readme say');
  const card = tab.page.getByRole('region', { name: 'Permission' });
  await card.getByText('Runs in the sandbox, on your unsaved text').waitFor();
  await card.getByRole('button', { name: 'Once' }).click();
  await tab.page.locator('.md', { hasText: 'It says so.' }).waitFor();
  const told = model.requests.findLast(({ body }) => body.includes(command))?.body;
  expect(told).toContain('Not saved yet\\n\\n# Shop');
  expect(await readFile(shown.world.scratch.at('README.md'), 'utf8')).toBe(shop['README.md']);
  expect(existsSync(shown.world.scratch.at('COPY.md'))).toBe(false);
});

browserTest('what is accepted in an open and a closed file is taken back by one undo', async () => {
  await using model = await ScriptedProvider.open();
  const replace = (file_path: string, old_string: string, new_string: string) => ({
    call: 'Edit',
    arguments: { file_path, old_string, new_string },
  });
  model.answer(
    [
      { call: 'Read', arguments: { file_path: 'src/cart.ts' } },
      { call: 'Read', arguments: { file_path: 'src/currency.ts' } },
    ],
    [
      replace('src/cart.ts', "home: Currency = 'EUR'", "home: Currency = 'CHF'"),
      replace('src/currency.ts', "'GBP'", "'GBP' | 'CHF'"),
    ],
    [{ text: 'Francs.' }],
  );
  await using shown = await ShownEditor.open({ files: shop, model });
  const tab = await shown.page();
  const disk = (): Promise<string> => readFile(shown.world.scratch.at('src/currency.ts'), 'utf8');
  await tab.open('src/cart.ts');
  await say(tab, 'use francs');
  await tab.page.locator('.md', { hasText: 'Francs.' }).waitFor();
  await tab.page.getByRole('button', { name: 'Review' }).click();
  await tab.page.getByRole('button', { name: 'Accept the 2 open' }).click();
  await expect.poll(disk).toContain("'CHF'");
  await tab.open('src/cart.ts');
  await expect.poll(() => tab.text('src/cart.ts')).toContain("home: Currency = 'CHF'");
  await tab.command('Undo the last edit of several files');
  await expect.poll(disk).toBe(shop['src/currency.ts']);
  await expect.poll(() => tab.text('src/cart.ts')).toBe(shop['src/cart.ts']);
});
