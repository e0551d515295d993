import { expect, test } from 'vitest';
import { assumedServer, knownServer, serverCatalogue, serversFor } from './catalogue.ts';
import { languageId, languages } from './language.ts';

test('no two servers bear one name', () => {
  expect(new Set(serverCatalogue.map(({ name }) => name)).size).toBe(serverCatalogue.length);
});

test('every language has a server, and every server only languages that exist or that it names the files of', () => {
  for (const language of languages.keys()) expect(serversFor(language), language).not.toHaveLength(0);
  const unknown = serverCatalogue
    .filter(({ extensions }) => extensions === undefined)
    .flatMap((server) => server.languages.filter((id) => !languages.has(id)));
  expect(unknown).toEqual([]);
});

test.each([
  ['typescript', ['typescript-7', 'typescript-language-server', 'vtsls']],
  ['javascript', ['typescript-7', 'typescript-language-server', 'vtsls']],
  ['python', ['pyright', 'basedpyright', 'pylsp']],
  ['cpp', ['clangd']],
])('for %s the servers are asked in the order %j', (language, names) => {
  expect(serversFor(languageId(language)).map(({ name }) => name)).toEqual(names);
});

test.each([
  { command: ['typescript-7'], name: 'typescript-7', keeps: ['tsc', '--lsp', '--stdio'] },
  { command: ['/opt/ts/lib/tsc', '--lsp', '--stdio'], name: 'typescript-7' },
  { command: ['pyright'], name: 'pyright', keeps: ['pyright-langserver', '--stdio'] },
  { command: ['/usr/bin/clangd-16', '--log=error'], name: 'clangd' },
  { command: ['gopls'], name: 'gopls' },
  { command: ['dart', 'language-server'], name: 'dart' },
  { command: ['tsc', '--watch'], name: undefined },
  { command: ['my-server'], name: undefined },
])('$command is known as $name', ({ command, name, keeps }) => {
  const known = knownServer(command);
  expect(known?.name).toBe(name);
  if (known) expect(known.command).toEqual(keeps ?? command);
});

test('a server of the user is not taken for the embedded one of the same name', () => {
  expect(knownServer(['pyright-langserver', '--stdio'])?.embedded).toBeUndefined();
  expect(knownServer(['pyright'])?.embedded).toBe('pyright');
});

test('nothing is taken for granted of a server nobody measured', () => {
  expect(assumedServer(languageId('cobol'), ['/opt/cobol-ls', '--stdio'])).toMatchObject({
    name: 'cobol-cobol-ls',
    settle: { mode: 'offered', quietMs: 500 },
    believesUnsaved: { created: 'nowhere', deleted: 'never' },
    reach: 'all',
    executes: 'workspace-code',
  });
});

test('no server is let out onto the network for types', () => {
  const settings = JSON.stringify(serverCatalogue.find(({ name }) => name === 'typescript-7')?.settings);
  expect(settings).toContain('"disableAutomaticTypeAcquisition":true');
});

test('a row is the same after it has crossed a socket to a broker', () => {
  for (const row of serverCatalogue) expect(JSON.parse(JSON.stringify(row))).toEqual(row);
});
