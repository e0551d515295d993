/** Language features of the editor over real buffers, with pyright. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EditorPage, PageBuffer } from '../support/editor-page.ts';
import { EditorWorld } from '../support/editor-world.ts';

let world: EditorWorld;
let page: EditorPage;
let cart: PageBuffer;
let receipt: PageBuffer;

beforeAll(async () => {
  world = await EditorWorld.open({
    definitions: 'detect',
    files: {
      'pyproject.toml': '[project]\nname = "shop"\nversion = "0"\n',
      'cart.py':
        'def total(prices: list[int]) -> int:\n    """The sum of all prices."""\n    return sum(prices)\n',
      'receipt.py':
        'from cart import total\n\n\ndef line(prices: list[int]) -> str:\n    return f"{total(prices)}"\n',
    },
  });
  page = await world.page('page');
  cart = await page.open('cart.py');
  receipt = await page.open('receipt.py');
});

afterAll(() => world[Symbol.asyncDispose]());

test('an error of another file appears while one types, and goes', async () => {
  await cart.replace('def total', 'def sum_of');
  await page.event(
    'code.diagnostics',
    ({ diagnostics: { path, items } }) =>
      path === 'receipt.py' &&
      items.some(({ message }) => message.includes('"total" is unknown import symbol')),
  );
  const seen = page.events.length;
  await cart.replace('def sum_of', 'def total');
  await page.event('code.diagnostics', ({ diagnostics }) => {
    const isNew =
      page.events.findLastIndex(
        (event) => event.kind === 'code.diagnostics' && event.diagnostics === diagnostics,
      ) >= seen;
    const { path, proof, items } = diagnostics;
    return (
      isNew &&
      path === 'receipt.py' &&
      proof !== 'none' &&
      items.every(({ severity }) => severity !== 'error')
    );
  });
});

test('hover, completion, references and rename over both files', async () => {
  const position = receipt.place('total(prices)', 1);
  const at = { path: 'receipt.py', version: receipt.version, position };
  expect((await page.request('code.hover', at)).markdown).toContain('The sum of all prices.');
  const { items } = await page.request('code.complete', {
    ...at,
    position: receipt.place('total(prices)', 3),
  });
  expect(items.map(({ label }) => label)).toContain('total');
  const { locations } = await page.request('code.references', at);
  expect([...new Set(locations.map(({ path }) => path))].sort()).toEqual(['cart.py', 'receipt.py']);
  const plan = await page.request('code.rename', { ...at, newName: 'grand_total' });
  expect(plan.files.map(({ path }) => path)).toEqual(['cart.py', 'receipt.py']);
  await page.request('code.apply', { plan: plan.plan });
  await Promise.all([cart.pull(), receipt.pull()]);
  expect(cart.text).toContain('def grand_total');
  expect(receipt.text).toContain('import grand_total');
});
