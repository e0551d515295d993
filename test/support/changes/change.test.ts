/** Changes drawn from sources: the same seed draws the same, and every kind finds its place in sources that have one. */
import { describe, expect, test } from 'vitest';
import { type ChangeKind, drawChanges } from './change.ts';
import { cppKinds } from './cpp-kinds.ts';
import { goKinds } from './go-kinds.ts';
import { pythonKinds } from './python-kinds.ts';
import { rustKinds } from './rust-kinds.ts';
import { type Sources, sourcesOf } from './sources.ts';
import { typescriptKinds } from './typescript/kinds.ts';

const typescript = sourcesOf({
  'README.md': '# Shop\n',
  'package.json': '{ "name": "shop", "types": "./src/index.ts", "description": "a shop" }\n',
  'tsconfig.json': '{ "compilerOptions": { "strict": true }, "include": ["src", "test"] }\n',
  'src/index.ts': "export { total, type Line } from './order/index.ts';\nexport * from './state.ts';\n",
  'src/global.d.ts': 'interface Shop {\n  open: boolean;\n}\n',
  'src/script.js': 'function run() {\n  return 1;\n}\n',
  'src/state.ts': [
    'export enum State { Draft, Paid }',
    "export type Kind = 'draft' | 'paid';",
    'export default function describe(state: State): string {',
    '  return String(state);',
    '}',
    '',
  ].join('\n'),
  'src/order/index.ts': [
    "import describe, { State } from '../state.ts';",
    "import { State as Other } from '../state.ts';",
    'export interface Line { price: number; count: number }',
    'export class Order {',
    '  private lines: Line[] = [];',
    '  add(line: Line): void { this.lines.push(line); }',
    '}',
    'export function total(lines: readonly Line[]): number {',
    '  void describe(State.Draft); void Other;',
    '  return lines.reduce((sum, { price, count }) => sum + price * count, 0);',
    '}',
    '',
  ].join('\n'),
});

const languages: readonly (readonly [string, readonly ChangeKind[], Sources])[] = [
  ['typescript', typescriptKinds, typescript],
];

describe.each(languages)('%s', (_, kinds, sources) => {
  const names = kinds.map(({ name }) => name);

  test('every kind is drawn', () => {
    const drawn = drawChanges(kinds, sources, { seed: 1, count: kinds.length });
    expect(drawn.map(({ kind }) => kind)).toEqual(names);
  });

  test('the same seed draws the same changes, another seed others', () => {
    const draw = (seed: number) => JSON.stringify(drawChanges(kinds, sources, { seed, count: 40 }));
    expect(draw(7)).toBe(draw(7));
    expect(draw(7)).not.toBe(draw(8));
  });

  test('a change changes each file it names, and names it once', () => {
    for (const { files } of drawChanges(kinds, sources, { seed: 3, count: kinds.length })) {
      expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
      for (const { path, after } of files) expect(sources.text(path)).not.toBe(after);
    }
  });
});

test.each([
  ['typescript', typescriptKinds],
  ['python', pythonKinds],
  ['go', goKinds],
  ['rust', rustKinds],
  ['cpp', cppKinds],
])('%s has at least twenty kinds, each with a name of its own', (_, kinds) => {
  const names = new Set(kinds.map(({ name }) => name));
  expect(names.size).toBe(kinds.length);
  expect(names.size).toBeGreaterThanOrEqual(20);
});
