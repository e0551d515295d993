import { expect, test } from 'vitest';
import { catalogue } from '../../tools/catalogue.ts';
import { rulesText } from './rules-text.ts';

const skills = [{ name: 'lsp-x', description: `Does | ${'much '.repeat(40)}` }];

test('only tools that exist are named', () => {
  const text = rulesText({ tools: catalogue, skills: [], audience: 'claude' });
  const named = text.match(/`[a-z]+(_[a-z]+)+`/g) ?? [];
  const known = catalogue.map(({ name }) => `\`${name}\``);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(3);
  expect(rulesText({ tools: [], skills: [], audience: 'claude' })).not.toContain('`preview_edit`');
});

test('a long description is cut to its cell, and a bar in it does not split the cell', () => {
  const row = rulesText({ tools: [], skills, audience: 'any' }).split('\n').at(-1) ?? '';
  expect(row).toMatch(/^\| `lsp-x` \| Does \\\| much .+… \|$/);
  expect(row.length).toBeLessThan(140);
});

test('only agents with editing tools of their own are told what not to use', () => {
  const table = '| to | use | not |';
  expect(rulesText({ tools: catalogue, skills, audience: 'claude' })).toContain(table);
  expect(rulesText({ tools: catalogue, skills, audience: 'any' })).not.toContain(table);
});
