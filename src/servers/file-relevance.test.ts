import { expect, test } from 'vitest';
import { serverCatalogue } from './catalogue.ts';
import { routeFile } from './file-relevance.ts';
import { mergeServers, parseServerConfig, parseServerSpec } from './server-config.ts';

const own = mergeServers(serverCatalogue, [
  ...parseServerConfig('{"servers":[{"extensions":["pyx"],"command":["cython-ls"],"language_id":"python"}]}'),
  parseServerSpec('cobol:cobol-ls'),
]);

test.each([
  ['catalogue', serverCatalogue, 'src/a.tsx', '', 'typescript-7'],
  ['catalogue', serverCatalogue, 'a.CPP', '', 'clangd'],
  ['catalogue', serverCatalogue, 'deploy/Dockerfile', '', 'docker-langserver'],
  ['catalogue', serverCatalogue, 'CMakeLists.txt', '', 'cmake-language-server'],
  ['catalogue', serverCatalogue, 'bin/tool', '#!/usr/bin/env python3', 'pyright'],
  ['catalogue', serverCatalogue, 'notes.txt', '', undefined],
  ['own', own, 'a.cobol', '', 'cobol-cobol-ls'],
  ['own', own, 'a.pyx', '', 'python-cython-ls'],
  ['own', own, 'bin/tool', '#!/usr/bin/python3', 'python-cython-ls'],
  ['own', own, 'a.py', '', undefined],
] as const)(
  'with the %s servers a file goes to the first that serves it',
  (_, servers, path, firstLine, name) => {
    expect(routeFile(servers, path, firstLine)?.name).toBe(name);
  },
);
