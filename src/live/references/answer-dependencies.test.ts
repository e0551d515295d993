import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReachFamily } from '../../graph/reach/reach-family.ts';
import { parseWorkspacePath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { AnswerDependencies, ImportGraph } from './answer-dependencies.ts';
import type { Inventory } from './file-inventory.ts';
import { parseFacts, readSourceFacts, writeFacts } from './source-facts.ts';

type Files = Readonly<Record<string, string>>;

function at(path: string): WorkspacePath {
  const parsed = parseWorkspacePath(path);
  if (parsed === undefined) throw new Error(`${path} is no path`);
  return parsed;
}

function inventoryOf(files: Files, family: ReachFamily): Inventory {
  const isSource = (path: string): boolean => !path.endsWith('.json');
  const entries = Object.entries(files);
  const sources = entries
    .filter(([path]) => isSource(path))
    .map(([path, text]) => [at(path), readSourceFacts(family, path, Buffer.from(text))] as const);
  const others = entries.filter(([path]) => !isSource(path)).map(([path, text]) => [at(path), text] as const);
  const rest = { packages: [], changes: [], unwatchedChangeMs: 0 };
  return { sources: new Map(sources), others: new Map(others), terms: new Map(others), ...rest };
}

function comparisonBaseOf(
  files: Files,
  family: ReachFamily = 'ecmascript',
  surroundings = '',
): AnswerDependencies {
  const imports = new ImportGraph(family);
  const inventory = inventoryOf(files, family);
  imports.take(inventory);
  return new AnswerDependencies({ family, imports }, inventory, surroundings);
}

const pathsOf = (files: Files, name: string | undefined, family?: ReachFamily): readonly string[] =>
  [...comparisonBaseOf(files, family).ofUses(name).paths].sort();

describe('the uses of a name rest on', () => {
  const shop = {
    'price.ts': 'export function price() {}',
    'cart.ts': "import { price } from './price';\nimport { round } from './round';\nround(price());",
    'round.ts': "import { digits } from './digits';\nexport const round = digits;",
    'digits.ts': 'export const digits = 2;',
    'other.ts': "import { digits } from './digits';\nexport const other = digits;",
    'entry.ts': "import './cart';\nimport './other';\nexport {};",
  };

  test('the texts that mention it and all they import, and nothing else', () => {
    expect(pathsOf(shop, 'price')).toEqual(['cart.ts', 'digits.ts', 'price.ts', 'round.ts']);
    expect(pathsOf(shop, 'digits')).toEqual(['digits.ts', 'other.ts', 'round.ts']);
  });

  const cases: readonly (readonly [string, Files, readonly string[]])[] = [
    [
      'a text that gives it another name, and those that mention that',
      {
        'barrel.ts': "export { price as cost } from './price';",
        'buyer.ts': "import { cost } from './barrel';\ncost();",
      },
      ['barrel.ts', 'buyer.ts'],
    ],
    [
      'a text that is visible everywhere',
      { 'globals.d.ts': 'declare const shop: string;' },
      ['globals.d.ts'],
    ],
    [
      'a text that adds to another module',
      { 'add.ts': "import './x';\ndeclare module './round' { interface R {} }" },
      ['add.ts'],
    ],
    ['a text that spells letters by escapes', { 'odd.ts': 'export const x = "\\u0070";' }, ['odd.ts']],
    [
      'an import from an alias',
      { 'alias.ts': "import { TILL as price } from './x';\nexport { price };" },
      ['alias.ts'],
    ],
  ];

  test.each(cases)('%s', (_name, more, expected) => {
    expect(pathsOf({ ...shop, ...more }, 'price')).toEqual(expect.arrayContaining([...expected]));
    expect(pathsOf({ ...shop, ...more }, 'price')).not.toContain('other.ts');
  });

  test.each<readonly [string, string | undefined, Files]>([
    ['a name that cannot be told', undefined, {}],
    ['what is used without being spelled', 'constructor', {}],
    ['a word of the language', 'export', {}],
    [
      'a default export, which goes by any name',
      'price',
      { 'd.ts': "import { price } from './price';\nexport default price;" },
    ],
    [
      'a name exported as a whole module',
      'price',
      { 'd.ts': "import { price } from './price';\nexport = price;" },
    ],
    ['a name exported in quotes', 'price', { 'd.ts': 'export { price as "the price" } from "./price";' }],
    ['a module of assignments', 'price', { 'old.js': "const p = require('./price').price;" }],
    [
      'a module that imports who knows what',
      'price',
      { 'any.ts': "import { price } from './price';\nimport x from './\\x70';" },
    ],
  ])('the whole workspace: %s', (_name, name, more) => {
    expect(pathsOf({ ...shop, ...more }, name)).toEqual(Object.keys({ ...shop, ...more }).sort());
  });

  test('Python: the packages on the way, and whatever may be meant', () => {
    const files = {
      'lib/__init__.py': '',
      'lib/price.py': 'def price(): ...',
      'app/cart.py': 'from lib.price import price\nfrom .round import digits',
      'app/round.py': 'digits = 2',
      'app/other.py': 'other = 1',
    };
    expect(pathsOf(files, 'price', 'python')).toEqual([
      'app/cart.py',
      'app/round.py',
      'lib/__init__.py',
      'lib/price.py',
    ]);
    expect(pathsOf(files, '__init__', 'python')).toHaveLength(5);
  });
});

describe('a fingerprint', () => {
  const files = {
    'a.ts': "import { b } from './b';\nb();",
    'b.ts': 'export const b = 1;',
    'tsconfig.json': '{}',
  };
  const print = (changed: Files, surroundings = ''): string =>
    comparisonBaseOf({ ...files, ...changed }, 'ecmascript', surroundings).ofUses('b').fingerprint;

  test('changes with a content, a file that comes to mention the name, the configuration and the packages', () => {
    const prints = [
      print({}),
      print({ 'a.ts': "import { b } from './b';\nb(1);" }),
      print({ 'c.ts': "import { b } from './b';" }),
      print({ 'tsconfig.json': '{ }' }),
      print({}, 'zod 4.1'),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });

  test('changes with any import, where those decide which files belong to the project', () => {
    const narrow = { 'tsconfig.json': '{ "files": ["entry.ts"] }', 'entry.ts': "import './a';\nexport {};" };
    expect(print({ ...narrow, 'entry.ts': "import './c';\nexport {};" })).not.toBe(print(narrow));
    expect(print({ ...narrow, 'entry.ts': "import './a';\nexport { };" })).toBe(print(narrow));
  });

  test('stays with what has nothing to do with the name', () => {
    expect(print({ 'c.ts': 'export const c = 1;' })).toBe(print({ 'd.ts': 'export const d = 1;' }));
  });

  test('of two workspaces is the same only if every text that mentions the name is', () => {
    const words = fc.constantFrom('price', 'cost', 'till');
    const text = fc.array(words, { maxLength: 4 }).map((list) => `export {};\n${list.join('(); ')};`);
    const tree = fc.dictionary(fc.constantFrom('a.ts', 'b.ts', 'c.ts', 'd.ts'), text);
    fc.assert(
      fc.property(tree, tree, (one, other) => {
        const mentioning = (all: Files): Files =>
          Object.fromEntries(Object.entries(all).filter(([, each]) => each.includes('price')));
        const isSame =
          comparisonBaseOf(one).ofUses('price').fingerprint ===
          comparisonBaseOf(other).ofUses('price').fingerprint;
        const sorted = (all: Files): string => JSON.stringify(Object.entries(mentioning(all)).sort());
        return isSame === (sorted(one) === sorted(other));
      }),
    );
  });
});

test('facts that were written down are read back the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const facts = readSourceFacts(
        'ecmascript',
        'a.ts',
        Buffer.from(`import { x as y } from './x';\n${text}`),
      );
      expect(parseFacts(writeFacts(facts))).toEqual(facts);
    }),
  );
});
