import { expect, test } from 'vitest';
import { resolvesOtherwise } from './import-modes.ts';

const imported = "import d from 'd';\nd();\n";

test.each<[about: string, before: string | undefined, after: string, expected: boolean]>([
  ['a changed body', imported, "import d from 'd';\nd(1);\n", false],
  ['another module', imported, "import d from 'e';\nd();\n", false],
  ['a required module', imported, "import d = require('d');\nd();\n", true],
  ['a dynamic import', imported, "const d = await import('d');\nd();\n", true],
  ['a dynamic import of another module', imported, "const d = await import('e');\nd();\n", false],
  ['an attribute', imported, "import d from 'd' with { 'resolution-mode': 'require' };\nd();\n", true],
  ['a pragma that comes', '<a />;\n', '/** @jsxImportSource b */\n<a />;\n', true],
  ['a pragma that changes', '/** @jsxImportSource a */\n', '/** @jsxImportSource b */\n', true],
  ['a pragma of a factory, which is looked up in the file', '/** @jsx a */\n', '/** @jsx b */\n', false],
  [
    'the mode of a reference',
    '/// <reference types="d" resolution-mode="import" />\n',
    '/// <reference types="d" resolution-mode="require" />\n',
    true,
  ],
  ['an unknown text and one with modes', undefined, "import d = require('d');\n", true],
  ['an unknown text and one without', undefined, imported, false],
])('%s', (_, before, after, expected) => {
  expect(resolvesOtherwise('a.ts', before, after)).toBe(expected);
});
