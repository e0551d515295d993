/** The language server ends by SIGKILL while a person types. */
import { expect } from 'vitest';
import { shop } from './support/shop.ts';
import { browserTest, ShownEditor } from './support/shown-editor.ts';

browserTest.each([
  {
    language: 'TypeScript',
    files: shop,
    path: 'src/cart.ts',
    after: "home: Currency = 'EUR",
    wrong: 'X',
    first: /EURX/,
    second: /EURXY/,
  },
  {
    language: 'Python',
    files: { 'cart.py': 'def total(cents: list[int]) -> int:\n    return sum(cents)\n' },
    path: 'cart.py',
    after: 'return sum(cents)',
    wrong: '.x',
    first: /"x"/,
    second: /"xY"/,
  },
])(
  '$language: a server killed while typing is reported, no mark of it outlives a key, and the marks come back',
  async ({ files, path, after, wrong, first, second }) => {
    await using shown = await ShownEditor.open({ files });
    const tab = await shown.page();
    await tab.open(path);
    await tab.command('Problems: show');
    await tab.caret(path, { after });
    await tab.page.keyboard.type(wrong);
    const problem = tab.page.locator('.problem[data-severity=error]');
    await problem.filter({ hasText: first }).first().waitFor();
    const [pid] = shown.world.editor.context.live.servers.pools.flatMap(({ governed }) =>
      governed.map((server) => server.pid),
    );
    expect(pid).toBeGreaterThan(0);
    process.kill(Number(pid), 'SIGKILL');
    await tab.page.keyboard.type('Y');
    expect(await tab.page.locator('.cm-diagnostic-error').count()).toBe(0);
    await tab.page.locator('.toast', { hasText: 'server stopped' }).waitFor();
    await problem.filter({ hasText: second }).first().waitFor();
    expect(await tab.page.locator('.cm-diagnostic-error').count()).toBeGreaterThan(0);
    for (const _ of `${wrong}Y`) await tab.page.keyboard.press('Backspace');
    await tab.page.locator('.bottom', { hasText: 'No problems in open files.' }).waitFor();
    expect(await tab.text(path)).toBe(files[path]);
  },
);
