import { expect, test } from 'vitest';
import { catalogue } from './catalogue.ts';
import { mergeServers, parseServerConfig, parseServerSpec } from './server-config.ts';
import { routeFile } from './server-routing.ts';

const own = mergeServers(catalogue, [
  ...parseServerConfig('{"servers":[{"extensions":["pyx"],"command":["cython-ls"],"language_id":"python"}]}'),
  parseServerSpec('cobol:cobol-ls'),
]);

test.each([
  ['catalogue', catalogue, 'src/a.tsx', '', 'typescript-7'],
  ['catalogue', catalogue, 'a.CPP', '', 'clangd'],
  ['catalogue', catalogue, 'deploy/Dockerfile', '', 'docker-langserver'],
  ['catalogue', catalogue, 'CMakeLists.txt', '', 'cmake-language-server'],
  ['catalogue', catalogue, 'bin/tool', '#!/usr/bin/env python3', 'pyright'],
  ['catalogue', catalogue, 'notes.txt', '', undefined],
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
