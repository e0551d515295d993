/** Language features of the editor over real buffers, with the TypeScript server. */
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EditorPage, PageBuffer } from '../support/editor-page.ts';
import { EditorWorld } from '../support/editor-world.ts';
import { until } from '../support/until.ts';

const files = {
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "lib": ["es2023"], "module": "esnext", "moduleResolution": "bundler", "allowImportingTsExtensions": true, "noEmit": true } }',
  'package.json': '{ "name": "shop", "type": "module" }',
  'cart.ts':
    'export interface Item {\n  readonly price: number;\n}\n\n/** The sum of all prices. */\nexport function total(items: readonly Item[]): number {\n  return items.reduce((sum, item) => sum + item.price, 0);\n}\n',
  'receipt.ts':
    "import { type Item, total } from './cart.ts';\n\nexport function print(items: Item[]): string {\n  return `Total: ${total(items)}`;\n}\n",
  'checkout.ts': "import { total } from './cart.ts';\n\nexport const due = total([{ price: 3 }]);\n",
  'scratch.ts': 'export const scratch = 1;\n',
};

let world: EditorWorld;
let page: EditorPage;
let cart: PageBuffer;
let receipt: PageBuffer;

beforeAll(async () => {
  world = await EditorWorld.open({ files, definitions: 'detect' });
  page = await world.page('page');
  cart = await page.open('cart.ts');
  receipt = await page.open('receipt.ts');
});

afterAll(() => world[Symbol.asyncDispose]());

/** The errors of the current version of a buffer. */
async function messages(buffer: PageBuffer): Promise<readonly string[]> {
  const { diagnostics } = await page.event(
    'code.diagnostics',
    ({ diagnostics: { path, version } }) => path === buffer.path && version === buffer.version,
  );
  // The newest of this version: a change in another buffer may have come after.
  const all = page.events.flatMap((event) => (event.kind === 'code.diagnostics' ? [event.diagnostics] : []));
  const newest = all.findLast(({ path, version }) => path === buffer.path && version === buffer.version);
  expect((newest ?? diagnostics).proof).toBe('proved');
  return (newest ?? diagnostics).items
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);
}

test('typing an error shows it for that version, and fixing it clears it', async () => {
  await receipt.replace('total(items)', 'totl(items)');
  expect(await messages(receipt)).toEqual([expect.stringContaining("Cannot find name 'totl'")]);
  await receipt.replace('totl(items)', 'total(items)');
  expect(await messages(receipt)).toEqual([]);
});

test('unsaved text of one buffer breaks another one, and a change on disk is heard of', async () => {
  const checkout = await page.open('checkout.ts');
  expect(await messages(checkout)).toEqual([]);
  await cart.replace('price: number', 'cost: number');
  await page.event(
    'code.diagnostics',
    ({ diagnostics: { path, items } }) => path === 'checkout.ts' && items.length > 0,
  );
  await cart.replace('cost: number', 'price: number');
  expect(await messages(cart)).toEqual([]);
  await until(async () => expect(await messages(checkout)).toEqual([]));
  await page.request('buffer.close', { path: 'checkout.ts' });
  await writeFile(
    world.scratch.at('other.ts'),
    "import { missing } from './cart.ts';\nexport const x = missing;\n",
  );
  const other = await page.open('other.ts');
  expect(await messages(other)).toEqual([expect.stringContaining('missing')]);
  await writeFile(world.scratch.at('other.ts'), 'export const x = 1;\n');
  await page.event('buffer.updated', ({ path }) => path === 'other.ts');
  await other.pull();
  expect(await messages(other)).toEqual([]);
});

test('a request about another version than the current one fails', async () => {
  const position = receipt.place('total(items)');
  const stale = { path: 'receipt.ts', version: receipt.version - 1, position };
  await expect(page.request('code.hover', stale)).rejects.toMatchObject({ code: 'editor/stale-version' });
});

const at = (buffer: PageBuffer, find: string, by = 1) => ({
  path: buffer.path,
  version: buffer.version,
  position: buffer.place(find, by),
});

test('hover, signature and highlights speak of the place', async () => {
  const hover = await page.request('code.hover', at(receipt, 'total(items)'));
  expect(hover.version).toBe(receipt.version);
  expect(hover.markdown).toContain('total(items: readonly Item[]): number');
  expect(hover.markdown).toContain('The sum of all prices.');
  const { signatures } = await page.request('code.signature', at(receipt, 'total(items)', 6));
  expect(signatures[0]?.label).toBe('total(items: readonly Item[]): number');
  expect(signatures[0]?.parameters).toHaveLength(1);
  const { highlights } = await page.request('code.highlights', at(receipt, 'total(items)'));
  expect(highlights).toHaveLength(2);
});

test('definitions and references lead across files, with the text of their lines', async () => {
  const { locations } = await page.request('code.locate', {
    ...at(receipt, 'total(items)'),
    kind: 'definition',
  });
  expect(locations).toMatchObject([
    { path: 'cart.ts', line: 'export function total(items: readonly Item[]): number {' },
  ]);
  const found = await page.request('code.references', at(cart, 'total(items'));
  expect(found.coverage).toEqual({ isComplete: true });
  expect([...new Set(found.locations.map(({ path }) => path))]).toEqual([
    'cart.ts',
    'checkout.ts',
    'receipt.ts',
  ]);
  const library = await page.request('code.locate', { ...at(cart, 'reduce('), kind: 'definition' });
  const [outside] = library.locations;
  expect(outside?.path).toBeUndefined();
  const shown = await page.request('code.outside', { uri: outside?.uri ?? '' });
  expect(shown.text).toContain('interface ReadonlyArray');
  const other = page.request('code.outside', { uri: 'file:///etc/passwd' });
  await expect(other).rejects.toMatchObject({ code: 'editor/unknown-plan' });
});

test('a completion that needs an import brings it when it is resolved', async () => {
  const scratch = await page.open('scratch.ts');
  await scratch.replace('scratch = 1;', 'scratch = tota');
  const asked = { path: 'scratch.ts', version: scratch.version, position: scratch.place('tota', 4) };
  const { list, items } = await page.request('code.complete', asked);
  const index = items.findIndex(({ label }) => label === 'total');
  expect(index).toBeGreaterThanOrEqual(0);
  const { edits } = await page.request('code.resolveCompletion', { list, index });
  expect(edits.map(({ newText }) => newText).join('')).toContain('import { total } from "./cart');
  await scratch.replace('scratch = tota', 'scratch = 1;');
});

test('a rename shows every file before it is made, makes all of them, and is taken back as one', async () => {
  await cart.replace('The sum of all prices.', 'The sum of all the prices.');
  const plan = await page.request('code.rename', { ...at(cart, 'total(items'), newName: 'grandTotal' });
  expect(plan.files.map(({ path, lane }) => [path, lane])).toEqual([
    ['cart.ts', 'live'],
    ['checkout.ts', 'closed'],
    ['receipt.ts', 'live'],
  ]);
  expect(await readFile(world.scratch.at('checkout.ts'), 'utf8')).toBe(files['checkout.ts']);
  await page.request('code.apply', { plan: plan.plan });
  await Promise.all([cart.pull(), receipt.pull()]);
  expect(cart.text).toContain('function grandTotal');
  expect(cart.text).toContain('all the prices');
  expect(receipt.text).toContain('grandTotal(items)');
  expect(await readFile(world.scratch.at('checkout.ts'), 'utf8')).toContain('grandTotal([');
  expect(await messages(receipt)).toEqual([]);
  await cart.replace('readonly price', 'readonly  price');
  const { paths } = await page.request('code.undo', {});
  expect(paths).toEqual(['cart.ts', 'checkout.ts', 'receipt.ts']);
  await Promise.all([cart.pull(), receipt.pull()]);
  expect(cart.text).toContain('function total');
  expect(cart.text).toContain('readonly  price');
  expect(receipt.text).toBe(files['receipt.ts']);
  expect(await readFile(world.scratch.at('checkout.ts'), 'utf8')).toBe(files['checkout.ts']);
  await cart.replace('readonly  price', 'readonly price');
});

test('a rename over a file that changed meanwhile changes nothing', async () => {
  const plan = await page.request('code.rename', { ...at(cart, 'total(items'), newName: 'sum' });
  const text = `${files['checkout.ts']}// somebody else\n`;
  await writeFile(world.scratch.at('checkout.ts'), text);
  const applied = page.request('code.apply', { plan: plan.plan });
  await expect(applied).rejects.toMatchObject({ code: 'editor/changed-since' });
  await cart.pull();
  expect(cart.text).toContain('function total');
  const typed = await page.request('code.rename', { ...at(cart, 'total(items'), newName: 'sum' });
  await cart.replace('all the prices', 'every price');
  const late = page.request('code.apply', { plan: typed.plan });
  await expect(late).rejects.toMatchObject({ code: 'editor/changed-since' });
  expect(await readFile(world.scratch.at('checkout.ts'), 'utf8')).toBe(text);
  await writeFile(world.scratch.at('checkout.ts'), files['checkout.ts']);
});

test('a code action is offered for an error and mends it', async () => {
  const scratch = await page.open('scratch.ts');
  await scratch.replace('scratch = 1;', 'scratch = total([]);');
  const place = scratch.place('total');
  const range = { start: place, end: { ...place, character: place.character + 5 } };
  const { list, actions } = await page.request('code.actions', {
    path: 'scratch.ts',
    version: scratch.version,
    range,
  });
  const index = actions.findIndex(({ title }) => title.includes('import'));
  expect(actions[index]).toMatchObject({ kind: 'quickfix', fixes: [expect.stringContaining('total')] });
  await page.request('code.runAction', { list, index });
  await scratch.pull();
  expect(scratch.text).toContain('import { total } from "./cart');
  expect(await messages(scratch)).toEqual([]);
});

test('formatting changes the buffer in place', async () => {
  const scratch = await page.open('scratch.ts');
  await scratch.replace('scratch =', 'scratch   =');
  const { isChanged, version } = await page.request('code.format', {
    path: 'scratch.ts',
    version: scratch.version,
    tabSize: 2,
    insertSpaces: true,
  });
  expect(isChanged).toBe(true);
  await scratch.pull();
  expect(scratch.version).toBe(version);
  expect(scratch.text).toContain('scratch = total');
});

test('outline, symbols, colours, hints, folds and calls', async () => {
  const file = { path: 'cart.ts', version: cart.version };
  const outline = await page.request('code.outline', file);
  expect(outline.symbols.map(({ name }) => name)).toEqual(['Item', 'total']);
  const { symbols } = await page.request('code.symbols', { query: 'total' });
  expect(symbols.map(({ name, location }) => [name, location.path])).toContainEqual(['total', 'cart.ts']);
  const tokens = await page.request('code.tokens', file);
  expect(tokens.types).toContain('function');
  expect(tokens.data.length % 5).toBe(0);
  expect(tokens.data.length).toBeGreaterThan(20);
  const whole = { start: { line: 0, character: 0 }, end: { line: 7, character: 0 } };
  expect((await page.request('code.hints', { ...file, range: whole })).version).toBe(cart.version);
  const { folds } = await page.request('code.folds', file);
  expect(folds.some(({ startLine }) => cart.text.split('\n')[startLine]?.includes('function total'))).toBe(
    true,
  );
  const incoming = await page.request('code.calls', { ...at(cart, 'total(items'), direction: 'incoming' });
  expect(incoming.isKnown).toBe(true);
  expect(incoming.calls.map(({ item }) => item.location.path).sort()).toEqual([
    'checkout.ts',
    'receipt.ts',
    'scratch.ts',
  ]);
  const outgoing = await page.request('code.calls', { ...at(receipt, 'print('), direction: 'outgoing' });
  expect(outgoing.calls.map(({ item }) => item.name)).toEqual(['total']);
});

test('renaming a file updates the imports that lead to it, open or not, and undo restores both', async () => {
  await page.request('buffer.save', { paths: ['cart.ts', 'receipt.ts', 'scratch.ts'] });
  await page.request('file.rename', { from: 'cart.ts', to: 'lib/basket.ts' });
  await page.event('buffer.moved', ({ from }) => from === 'cart.ts');
  await receipt.pull();
  expect(receipt.text).toContain("from './lib/basket.ts'");
  expect(await readFile(world.scratch.at('checkout.ts'), 'utf8')).toContain("from './lib/basket.ts'");
  expect(await messages(receipt)).toEqual([]);
});

test('a server that is killed is started again, and no stale answer is shown', async () => {
  const [pool] = world.editor.context.live.servers.pools;
  const pid = pool?.governed[0]?.pid;
  expect(pid).toBeGreaterThan(0);
  process.kill(Number(pid), 'SIGKILL');
  await receipt.replace('Total:', 'Sum:');
  await receipt.replace('items: Item[]', 'items: Itm[]');
  expect(await messages(receipt)).toEqual([expect.stringContaining('Itm')]);
});
