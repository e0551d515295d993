/** The main views of the page, each brought about as a person does. */
import { writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { gitIn } from '../../support/git-workspace.ts';
import type { ScriptedProvider } from '../../support/scripted-provider.ts';
import { answerTo } from '../../support/speculation-trial.ts';
import { say } from './agent-prompt.ts';
import { judgedWhatIfs, keepWhatIfs } from './kept-what-ifs.ts';
import { branchesOf } from './merge-branches.ts';
import { shop } from './shop.ts';
import type { EditorTab, ShownEditor } from './shown-editor.ts';

/** What a view is brought about with. */
export interface ViewParts {
  readonly tab: EditorTab;
  readonly shown: ShownEditor;
  readonly model: ScriptedProvider;
}

export const views: Readonly<Record<string, (parts: ViewParts) => Promise<unknown>>> = {
  main: async ({ tab }) => {
    await tab.open('src/currency.ts');
    await tab.open('src/cart.ts');
    // The tree shows the file that is open.
    await tab.page.locator('[data-path="src/cart.ts"][aria-selected=true]').waitFor();
    await tab.page.locator('[data-path="src/api"]').click();
    await tab.page.locator('[data-path="src/api/checkout.ts"]').waitFor();
    await tab.caret('src/cart.ts', { after: 'export function total(items: readonly Item[]): ' });
    await tab.page.keyboard.type('string | ');
    await tab.page.keyboard.press('Escape');
    await tab.page.keyboard.press('Control+k');
    await tab.page.keyboard.press('f');
    await tab.page.locator('.status [data-verdict=break]').waitFor();
  },
  changes: async ({ tab, shown }) => {
    const cart = (shop['src/cart.ts'] ?? '').replace('Item[]): number {', 'Item[]): string | number {');
    const { scratch } = shown.world;
    await writeFile(scratch.at('src/cart.ts'), cart);
    await writeFile(scratch.at('src/money.ts'), 'export const cents = 100;\n');
    await gitIn(scratch.workspace.root, 'add', 'src/money.ts');
    await tab.page.keyboard.press('Control+Shift+g');
    await tab.page.getByRole('button', { name: 'cart.ts, src, modified' }).click();
    await tab.page.locator('.cm-merge-b .cm-changedLine').waitFor();
    await tab.page.locator('[data-part=all][data-verdict=break]').waitFor();
    await tab.page.locator('[data-part=staged][data-verdict=clean]').waitFor();
    await tab.page.getByLabel('Message of the commit').fill('Return money from total()');
  },
  start: async ({ tab }) => {
    await tab.open('src/cart.ts');
    await tab.open('src/invoice.ts');
    await tab.caret('src/invoice.ts', { after: 'const tax = 0.19' });
    await tab.page.keyboard.type('5');
    await tab.page.locator('.status [data-verdict=clean]').waitFor();
    await tab.page.keyboard.press('Alt+w');
    await tab.page.keyboard.press('Alt+w');
    await tab.page.getByRole('region', { name: 'Recent files' }).waitFor();
    await tab.page.getByRole('region', { name: 'Open what-ifs' }).waitFor();
  },
  merges: async ({ tab, shown }) => {
    await branchesOf(shown.world.scratch.workspace.root);
    // In a narrow window neither panel is shown, and the same keys would show it over the view.
    const isShown = (side: string) => tab.page.locator(`[data-region=${side}]`).isVisible();
    if (await isShown('right')) await tab.command('Agent panel: show or hide');
    if (await isShown('left')) await tab.page.keyboard.press('Control+b');
    await tab.page.keyboard.press('Control+k');
    await tab.page.keyboard.press('m');
    for (const name of ['feat/money', 'feat/discounts', 'feat/names', 'fix/rounding']) {
      await tab.page.getByRole('checkbox', { name }).check();
    }
    await tab.page.getByRole('button', { name: 'Check 4 together' }).click();
    await tab.page.locator('[data-merge=done]').waitFor();
    await tab.page.locator('[data-cell="1 0"]').click();
    await tab.page.getByText('The two changes that collide').waitFor();
  },
  palette: async ({ tab }) => {
    await tab.open('src/cart.ts');
    await tab.page.keyboard.press('F1');
    await tab.page.locator('#palette-list[data-for=">"] li').first().waitFor();
  },
  search: async ({ tab }) => {
    await tab.open('src/cart.ts');
    await tab.page.keyboard.press('Control+Shift+h');
    await tab.page.getByRole('textbox', { name: 'Search' }).fill('total(items');
    await tab.page.getByRole('textbox', { name: 'Replace with' }).fill('sum(items');
    await tab.page.locator('.replace-box [data-plan-verdict]').waitFor();
  },
  terminal: async ({ tab }) => {
    await tab.open('src/cart.ts');
    await tab.page.keyboard.press('Control+`');
    await tab.page.locator('.xterm-helper-textarea').waitFor({ state: 'attached' });
    await expect.poll(() => tab.page.locator('.xterm-rows').textContent()).toContain('>');
    await tab.page.keyboard.type('ls src\n');
    await expect.poll(() => tab.page.locator('.xterm-rows').textContent()).toContain('invoice.ts');
  },
  conflict: async ({ tab, shown }) => {
    await tab.open('src/cart.ts');
    await tab.caret('src/cart.ts', { after: 'export function total(items: readonly Item[]): ' });
    await tab.page.keyboard.type('string | ');
    await tab.page.keyboard.press('Escape');
    const onDisk = (shop['src/cart.ts'] ?? '').replace("Currency = 'EUR'", "Currency = 'GBP'");
    await writeFile(shown.world.scratch.at('src/cart.ts'), onDisk);
    await tab.page.getByRole('radiogroup', { name: 'Which text to save' }).waitFor();
    await tab.page.locator('.opt .v.break, .opt .v.unknown').first().waitFor();
  },
  settings: async ({ tab }) => {
    await tab.page.keyboard.press('Control+,');
    await tab.page.locator('[data-setting="look.theme"]').waitFor();
  },
  'what-if': async ({ tab, shown }) => {
    await keepWhatIfs(shown);
    await tab.page.keyboard.press('Control+k');
    await tab.page.keyboard.press('w');
    await judgedWhatIfs(tab);
    await tab.page.locator('.wi-open', { hasText: 'Return money' }).click();
    await tab.page.getByRole('region', { name: 'Return money from total()' }).waitFor();
  },
  compare: async ({ tab, shown }) => {
    await keepWhatIfs(shown);
    await tab.page.keyboard.press('Control+k');
    await tab.page.keyboard.press('w');
    await judgedWhatIfs(tab);
    for (const title of ['Return money', 'Round half to even']) {
      await tab.page.locator('.wi', { hasText: title }).getByRole('checkbox').check();
    }
    await tab.page.getByRole('button', { name: 'Rank' }).click();
    await tab.page.locator('.wi .tag', { hasText: '2nd' }).waitFor();
    await tab.page.getByRole('button', { name: 'Compare' }).click();
    await tab.page.getByRole('table', { name: 'Compare A and B' }).waitFor();
  },
  proposal: async ({ tab, model }) => {
    model.script((request) =>
      answerTo(request, {
        'total() should return money': { rounds: [...moneyRounds, [{ text: moneyText }]] },
      }),
    );
    await tab.open('src/cart.ts');
    await say(tab, 'total() should return money');
    await tab.page.locator('.md', { hasText: 'Three changes' }).waitFor();
    await tab.page.getByRole('button', { name: 'Review' }).click();
    await tab.page.locator('[data-hunk]').nth(2).waitFor();
    await tab.page.keyboard.press('a');
    await tab.page.locator('[data-decision=accepted]').waitFor();
    await tab.page.locator('[data-verdict-of=accepted] .v').waitFor();
    await tab.page.locator('[data-verdict-of=all] .v.break, [data-verdict-of=all] .v.clean').waitFor();
  },
  agent: async ({ tab, model }) => {
    const command = { call: 'Bash', arguments: { command: 'npm test -- --run test/cart.test.ts' } };
    const rounds = [
      [{ call: 'Read', arguments: { file_path: 'src/cart.ts' } }],
      [planCall],
      [{ text: agentText }, command],
    ];
    model.script((request) => answerTo(request, { 'why does the report not compile?': { rounds } }));
    await tab.open('src/cart.ts');
    await say(tab, 'why does the report not compile?');
    await tab.page.getByRole('region', { name: 'Permission' }).waitFor();
  },
  save: async ({ tab }) => {
    await tab.open('src/cart.ts');
    await tab.caret('src/cart.ts', { after: 'export function total(items: readonly Item[]): ' });
    await tab.page.keyboard.type('string | ');
    await tab.page.keyboard.press('Escape');
    await tab.page.locator('.status [data-verdict=break]').waitFor();
    await tab.page.keyboard.press('Control+s');
    await tab.page.getByRole('alertdialog').waitFor();
  },
  'first-run': async ({ tab }) => {
    await tab.page.getByRole('button', { name: 'Trust this workspace' }).waitFor();
    await tab.page.getByText('No model yet').waitFor();
  },
};

const moneyText = 'Three changes. `total()` now returns **money**, and the receipt shows it.';

const moneyRounds = [
  [
    { call: 'Read', arguments: { file_path: 'src/cart.ts' } },
    { call: 'Read', arguments: { file_path: 'src/receipt.ts' } },
  ],
  [
    {
      call: 'MultiEdit',
      arguments: {
        file_path: 'src/cart.ts',
        edits: [
          {
            old_string: '/** What a list',
            new_string: 'export interface Money {\n  cents: number;\n}\n\n/** What a list',
          },
          {
            old_string:
              'total(items: readonly Item[]): number {\n  return items.reduce((sum, item) => sum + item.cents, 0);',
            new_string:
              'total(items: readonly Item[]): Money {\n  return { cents: items.reduce((sum, item) => sum + item.cents, 0) };',
          },
        ],
      },
    },
    {
      call: 'Edit',
      arguments: {
        file_path: 'src/receipt.ts',
        old_string: 'total(items).toFixed(0)',
        new_string: 'total(items).cents.toFixed(0)',
      },
    },
  ],
];

const agentText =
  '`daily.ts` reads `total(items).currency`, but `total()` returns a plain number.\n\nIf it returned a `Money` the report would compile. Three other files use the number and would have to change too.';

const planCall = {
  call: 'TodoWrite',
  arguments: {
    todos: [
      { content: 'Find who uses total()', status: 'completed' },
      { content: 'Run the tests of the cart', status: 'in_progress' },
      { content: 'Return money', status: 'pending' },
    ],
  },
};
