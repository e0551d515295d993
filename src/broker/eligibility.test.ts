import { expect, test } from 'vitest';
import { ScratchWorkspace } from '../../test/support/scratch-workspace.ts';
import { serverCatalogue } from '../servers/catalogue.ts';
import { canBeBrokered, isWorthBrokering } from './eligibility.ts';

const calm = new AbortController().signal;

test('servers that are asked for diagnostics are shared; what only publishes is not', () => {
  const shared = serverCatalogue.filter(canBeBrokered).map(({ name }) => name);
  expect(shared).toEqual(expect.arrayContaining(['typescript-7', 'pyright', 'gopls', 'rust-analyzer']));
  expect(shared).not.toContain('clangd');
  expect(serverCatalogue.filter(canBeBrokered).every(({ settle }) => settle.mode === 'pull')).toBe(true);
});

test.each([
  [499, 'ts', false],
  [500, 'ts', true],
  [600, 'py', false],
] as const)(
  '%i files in .%s make a TypeScript workspace worth a broker: %s',
  async (count, extension, expected) => {
    const names = Array.from({ length: count }, (_, index) => `src/${index % 7}/file${index}.${extension}`);
    await using scratch = await ScratchWorkspace.create(Object.fromEntries(names.map((name) => [name, ''])));
    const definition = serverCatalogue.find(({ name }) => name === 'typescript-7');
    if (!definition) throw new Error('the catalogue has lost TypeScript');
    expect(await isWorthBrokering(definition, scratch.workspace, calm)).toBe(expected);
  },
);
