/** What the agent does with the editor itself: files it opens, errors it reads, names it changes, the plan it shows. */
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { answerTo } from '../support/speculation-trial.ts';
import { say } from './support/agent-prompt.ts';
import { shop } from './support/shop.ts';
import { browserTest, ShownEditor } from './support/shown-editor.ts';

const cart = 'src/cart.ts';
const daily = 'src/reports/daily.ts';

browserTest(
  'the agent reads fresh errors of unsaved text, opens a file, and renames across files as a proposal',
  async () => {
    await using model = await ScriptedProvider.open();
    const todos = [
      { content: 'Look at the errors', status: 'in_progress' },
      { content: 'Rename count()', status: 'pending' },
    ];
    const rename = { uri: cart, line: 13, column: 17, new_name: 'howMany' };
    const rounds = [
      [{ call: 'TodoWrite', arguments: { todos } }],
      [{ call: 'editor.getDiagnostics', arguments: {} }],
      [{ call: 'editor.open', arguments: { uri: 'src/currency.ts', line: 1 } }],
      [{ call: 'editor.rename', arguments: rename }],
      [{ text: 'Renamed it.' }],
    ];
    model.script((request) =>
      request.body.includes('<cursor/>') ? [] : answerTo(request, { 'rename count': { rounds } }),
    );
    await using shown = await ShownEditor.open({ files: shop, model });
    const disk = (): Promise<string> => readFile(shown.world.scratch.at(daily), 'utf8');
    const tab = await shown.page();
    await tab.open(cart);
    await tab.withoutTimers(async () => {
      await tab.caret(cart, { after: "home: Currency = 'EUR" });
      await tab.page.keyboard.type('X');
    });
    // However soon it is sent, the message takes the focus along: the calls name no file.
    await say(tab, 'rename count');
    await tab.page.locator('.md', { hasText: 'Renamed it.' }).waitFor();
    // The error is one of the text that is not saved.
    const told = model.requests.map(({ body }) => body).findLast((body) => !body.includes('<cursor/>'));
    expect(told).toContain('EURX');
    await tab.page.locator('[data-tab="src/currency.ts"]').waitFor();
    const plan = tab.page.getByRole('list', { name: 'Plan' });
    expect(await plan.getByRole('listitem').allTextContents()).toEqual([
      'Look at the errorsnow',
      'Rename count()to come',
    ]);
    await tab.page.getByRole('img', { name: /^Context \d+ %$/ }).waitFor();
    expect(await disk()).toBe(shop[daily]);
    await tab.page.getByRole('button', { name: 'Review' }).click();
    const files = tab.page.getByRole('group', { name: 'Review' }).getByRole('region');
    expect(await files.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))).toEqual([
      cart,
      daily,
    ]);
    await tab.page.getByRole('button', { name: /^Accept the \d open$/ }).click();
    await expect.poll(disk).toContain('howMany(items)');
    await tab.open(cart);
    await expect.poll(() => tab.text(cart)).toContain('export function howMany(');
    expect(await tab.text(cart)).toContain("'EURX'");
  },
);
