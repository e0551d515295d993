import { expect, test } from 'vitest';
import { serverCatalogue } from './catalogue.ts';
import { needsConfinement } from './confinement-need.ts';

const root = '/work/project';
const outside = ['/usr/bin/server', '--stdio'];
const inside = ['/usr/bin/node', '/work/project/node_modules/server/main.js'];

test.each([
  ['nothing', outside, 'buffers', false],
  ['nothing', outside, 'mounted', false],
  ['nothing', inside, 'buffers', false],
  ['nothing', inside, 'mounted', true],
  ['nothing', ['/work/project-2/server'], 'mounted', false],
  ['interpreter', outside, 'buffers', false],
  ['interpreter', outside, 'mounted', true],
  ['workspace-code', outside, 'buffers', true],
  ['workspace-code', outside, 'mounted', true],
] as const)(
  'a server that executes %s, started as %j, shown in %s: confined is %s',
  (executes, command, mode, expected) => {
    expect(needsConfinement({ executes, command, root, name: 's' }, mode)).toBe(expected);
  },
);

test('of the catalogue these are taken to run no code of a workspace', () => {
  const names = serverCatalogue.filter(({ executes }) => executes === 'nothing').map(({ name }) => name);
  expect(names.sort()).toEqual([
    'bash-language-server',
    'clangd',
    'docker-langserver',
    'gopls',
    'intelephense',
    'mongodb-language-server',
    'prisma-language-server',
    'sqls',
    'typescript-7',
    'vscode-css-language-server',
    'vscode-html-language-server',
    'vscode-json-language-server',
    'vtsls',
    'yaml-language-server',
  ]);
});
