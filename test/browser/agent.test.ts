import { expect } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { settingsOf } from '../../src/config/settings.ts';
import { ChatService } from '../../src/host/chat/chat-service.ts';
import { Forerun } from '../../src/host/forerun.ts';
import { turn } from '../support/agent-trial.ts';
import { type ScriptedAnswer, ScriptedProvider } from '../support/scripted-provider.ts';
import { scriptedFinder } from '../support/scripted-provider-client.ts';
import { answerTo } from '../support/speculation-trial.ts';
import { calm } from '../support/world.ts';
import { prompt, say } from './support/agent-prompt.ts';
import { shop } from './support/shop.ts';
import { browserTest, ShownEditor } from './support/shown-editor.ts';

const cart = 'src/cart.ts';

browserTest(
  'an edit of the agent is proposed, one hunk rejected, one edited, and the model is told',
  async () => {
    await using model = await ScriptedProvider.open();
    model.answer(...editing, [{ text: 'I renamed **two** parameters.' }]);
    await using shown = await ShownEditor.open({ files: shop, model });
    const tab = await shown.page();
    await tab.open(cart);
    await say(tab, 'shorten two names');
    await tab.page.getByRole('region', { name: 'Proposal' }).waitFor();
    await tab.page.locator('.md strong', { hasText: 'two' }).waitFor();
    expect(await tab.text(cart)).toBe(shop[cart]);
    await tab.page.getByRole('button', { name: 'Review' }).click();
    const hunks = tab.page.locator('[data-hunk]');
    await expect.poll(() => hunks.count()).toBe(2);
    await tab.page.locator('[data-verdict-of=all]', { hasText: 'Clean' }).waitFor();
    await tab.page.keyboard.press('r');
    await tab.page.locator('[data-decision=rejected]').waitFor();
    await tab.page.keyboard.press('e');
    const field = tab.page.getByRole('textbox', { name: 'New text of this change' });
    await field.fill('export function count(list: readonly Item[]): number {\n  return list.length;');
    await field.press('Control+Enter');
    await tab.page.locator('[data-decision=edited]').waitFor();
    model.answer([{ text: 'Understood.' }]);
    await say(tab, 'go on');
    await tab.page.locator('.md', { hasText: 'Understood.' }).waitFor();
    const told = model.requests.at(-1)?.body ?? '';
    expect(told).toContain('Rejected, and not in the files.');
    expect(told).toContain('The user wrote:\\n+ export function count(list: readonly Item[]): number {');
    await tab.open(cart);
    expect(await tab.text(cart)).toContain('count(list: readonly Item[])');
    expect(await tab.text(cart)).toContain('total(items: readonly Item[])');
  },
);

browserTest('a reload in the middle of an answer and of a question loses nothing', async () => {
  await using model = await ScriptedProvider.open();
  let goOn: () => void = () => {};
  const until = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const run = { call: 'Bash', arguments: { command: 'echo hello' } };
  model.answer([{ text: 'Let me ' }, { until }, { text: 'see.' }, run], [{ text: 'It said hello.' }]);
  await using shown = await ShownEditor.open({ files: shop, model });
  const tab = await shown.page();
  await say(tab, 'run it');
  await tab.page.locator('.md', { hasText: 'Let me' }).waitFor();
  await tab.page.reload();
  await tab.connected();
  await tab.page.locator('.md', { hasText: 'Let me' }).waitFor();
  goOn();
  await tab.page.getByRole('region', { name: 'Permission' }).waitFor();
  await tab.page.reload();
  await tab.connected();
  const card = tab.page.getByRole('region', { name: 'Permission' });
  await card.getByText('echo hello', { exact: true }).waitFor();
  expect(await tab.page.title()).toMatch(/^● /);
  await tab.page.getByText('Agent waits for you').waitFor();
  await card.getByRole('button', { name: 'Once' }).click();
  await tab.page.locator('.md', { hasText: 'It said hello.' }).waitFor();
  expect(await tab.page.locator('.md', { hasText: 'Let me see.' }).count()).toBe(1);
});

browserTest('a suggestion that is taken by Tab and sent changes the open buffer at once', async () => {
  await using model = await ScriptedProvider.open();
  model.script((request) =>
    answerTo(request, {
      'what is in cart.ts': { rounds: [[{ text: 'Sums.' }]], suggests: [{ text: 'shorten two names' }] },
      'shorten two names': { rounds: [...editing, [{ text: 'Done.' }]] },
    }),
  );
  await using shown = await ShownEditor.open({ files: shop, model, suggestions: 'on' });
  const tab = await shown.page();
  await tab.open(cart);
  await say(tab, 'what is in cart.ts');
  await tab.page.locator('.chip[data-ready="1"]', { hasText: 'shorten two names' }).waitFor();
  expect(await tab.text(cart)).toBe(shop[cart]);
  await prompt(tab).focus();
  await tab.page.keyboard.press('Enter');
  expect(await prompt(tab).inputValue()).toBe('');
  await tab.page.keyboard.press('Tab');
  expect(await prompt(tab).inputValue()).toBe('shorten two names');
  await tab.page.keyboard.press('Enter');
  await expect.poll(() => tab.text(cart)).toContain('total(all: readonly Item[])');
  await tab.page.getByText('Done ahead of you: 1 file').waitFor();
});

browserTest('hostile Markdown of a model runs no script and loads nothing', async () => {
  await using model = await ScriptedProvider.open();
  const hostile = [
    '<img src=x onerror="document.title=1">',
    '<script>document.title=2</script>',
    '[click](javascript:document.title=3)',
    '![x](http://127.0.0.1:9/track.png)',
    '```html\n<svg onload="document.title=4">\n```',
  ].join('\n\n');
  model.answer([{ text: hostile }]);
  await using shown = await ShownEditor.open({ files: shop, model });
  const tab = await shown.page();
  const asked: string[] = [];
  tab.page.on('request', (request) => asked.push(request.url()));
  await say(tab, 'be hostile');
  await tab.page.locator('.md-code', { hasText: 'svg onload' }).waitFor();
  const answer = tab.page.locator('.md');
  expect(await answer.locator('img, script, svg, iframe').count()).toBe(0);
  expect(
    await answer.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
  ).toEqual(['http://127.0.0.1:9/track.png']);
  expect(await tab.page.title()).not.toMatch(/^\d$/);
  expect(asked.filter((url) => url.includes(':9/'))).toEqual([]);
});

browserTest('a conversation of the terminal goes on in the editor, with the focused file', async () => {
  await using model = await ScriptedProvider.open();
  await using shown = await ShownEditor.open({ files: shop, model });
  const { home, scratch } = shown.world;
  const env = { ...process.env, HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home };
  model.answer([{ text: 'Said in the terminal.' }]);
  await inTerminal({ model, env, directory: scratch.workspace.root }, 'begun in the terminal');
  const tab = await shown.page();
  await tab.open(cart);
  await tab.caret(cart, { before: 'export function total' });
  await tab.page.getByRole('button', { name: 'Earlier conversations' }).click();
  await tab.page.getByRole('menuitem', { name: 'begun in the terminal' }).click();
  await tab.page.locator('.md', { hasText: 'Said in the terminal.' }).waitFor();
  model.answer([{ text: 'Said in the editor.' }]);
  await say(tab, 'and now here');
  await tab.page.locator('.md', { hasText: 'Said in the editor.' }).waitFor();
  const body = model.requests.at(-1)?.body ?? '';
  expect(body).toContain('begun in the terminal');
  expect(body).toContain('Said in the terminal.');
  expect(body).toContain('The user has src/cart.ts open at line 9, column 1.');
});

browserTest('without a model the panel says how to get one', async () => {
  await using model = await ScriptedProvider.open();
  await using shown = await ShownEditor.open({ files: shop, model, modelState: 'none' });
  const tab = await shown.page();
  await tab.page.getByText('No model yet').waitFor();
  await tab.page.getByRole('button', { name: 'Look again' }).waitFor();
});

/** Two functions of the cart, each changed in one place. */
const editing: readonly ScriptedAnswer[] = [
  [{ call: 'Read', arguments: { file_path: cart } }],
  [
    {
      call: 'MultiEdit',
      arguments: {
        file_path: cart,
        edits: [
          {
            old_string: 'total(items: readonly Item[]): number {\n  return items.reduce',
            new_string: 'total(all: readonly Item[]): number {\n  return all.reduce',
          },
          {
            old_string: 'count(items: readonly Item[]): number {\n  return items.length;',
            new_string: 'count(all: readonly Item[]): number {\n  return all.length;',
          },
        ],
      },
    },
  ],
];

/** One turn in a chat as another process has it: services of its own, the same conversations. */
async function inTerminal(
  { model, env, directory }: { model: ScriptedProvider; env: NodeJS.ProcessEnv; directory: string },
  text: string,
): Promise<void> {
  await using forerun = new Forerun({ definitions: [], log: silentLog, env, daemon: 'off' });
  const settings = settingsOf(new Map());
  const options = {
    directory,
    settings,
    find: scriptedFinder(model),
    interaction: 'none',
    env,
    log: silentLog,
  } as const;
  await using chat = await ChatService.open(forerun, options, calm);
  const { conversation } = await chat.open({ kind: 'begin' }, undefined, calm);
  await turn(conversation, text);
}
