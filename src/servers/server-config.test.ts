import { describe, expect, test } from 'vitest';
import { serverCatalogue } from './catalogue.ts';
import {
  InvalidServerConfig,
  InvalidServerSpec,
  mergeServers,
  parseServerConfig,
  parseServerSpec,
  parseServerSpecs,
} from './server-config.ts';
import type { ServerDefinition } from './server-definition.ts';

describe('a specification on the command line', () => {
  test('names a language, a binary and its arguments', () => {
    expect(parseServerSpec('go:gopls,-rpc.trace')).toMatchObject({
      name: 'gopls',
      languages: ['go'],
      command: ['gopls', '-rpc.trace'],
      settle: { mode: 'pull' },
    });
  });

  test('of a language nobody knows takes its id for the extension of its files', () => {
    expect(parseServerSpec('Cobol:cobol-ls')).toMatchObject({ languages: ['cobol'], extensions: ['cobol'] });
  });

  test.each([
    ['gopls', 'invalid argument "gopls": expected format language-id:binary[,args...]'],
    [':gopls', 'invalid argument ":gopls": expected format language-id:binary[,args...]'],
    ['', 'invalid argument "": expected format language-id:binary[,args...]'],
    ['go:', 'invalid argument "go:": binary path is empty'],
    ['go:,-x', 'invalid argument "go:,-x": binary path is empty'],
  ])('%j is refused with the reason', (spec, message) => {
    expect(() => parseServerSpec(spec)).toThrow(new InvalidServerSpec(message));
  });

  test.each<{ specs: string[]; served: Record<string, string[]> }>([
    { specs: ['c:clangd'], served: { clangd: ['c', 'cpp'] } },
    { specs: ['typescript:typescript-7'], served: { 'typescript-7': ['typescript', 'javascript'] } },
    {
      specs: ['typescript:typescript-7', 'javascript:vtsls,--stdio'],
      served: { 'typescript-7': ['typescript'], vtsls: ['javascript'] },
    },
    {
      specs: ['c:clangd', 'cpp:/opt/clangd'],
      served: { clangd: ['c'], 'clangd-cpp': ['cpp'] },
    },
  ])('$specs serve $served', ({ specs, served }) => {
    expect(languagesByName(parseServerSpecs(specs))).toEqual(served);
  });
});

describe('a configuration file', () => {
  test('says more of a server than the catalogue, and what it says counts', () => {
    const text = JSON.stringify({
      servers: [
        {
          extensions: ['.PY', 'pyi'],
          command: ['pylsp', '-v'],
          env: { A: 'b' },
          initializationOptions: { x: 1 },
          settings: { pylsp: {} },
          root_markers: ['tox.ini'],
          cwd: '/srv',
          timeout_ms: 900,
        },
      ],
    });
    expect(parseServerConfig(text)).toMatchObject([
      {
        name: 'pylsp',
        languages: ['python'],
        extensions: ['py', 'pyi'],
        command: ['pylsp', '-v'],
        env: { A: 'b' },
        initializationOptions: { x: 1 },
        settings: { pylsp: {} },
        rootMarkers: ['tox.ini'],
        cwd: '/srv',
        timeoutMs: 900,
      },
    ]);
  });

  test('settings of the user are not replaced when something is suggested', () => {
    const parsed = (settings?: object) =>
      parseServerConfig(
        JSON.stringify({ servers: [{ extensions: ['ts'], command: ['tsc', '--lsp', '--stdio'], settings }] }),
      )[0]?.suggestionSettings;
    expect(parsed()).toMatchObject({ typescript: { suggest: { autoImports: true } } });
    expect(parsed({ typescript: {} })).toBeUndefined();
  });

  test.each([
    ['tsx', 'typescript'],
    ['jsx', 'javascript'],
    ['lhs', 'haskell'],
    ['kts', 'kotlin'],
    ['mli', 'ocaml'],
    ['abc', 'abc'],
  ])('takes the language of .%s files for %s', (extension, language) => {
    const text = JSON.stringify({ servers: [{ extensions: [extension], command: ['ls'] }] });
    expect(parseServerConfig(text)[0]?.languages).toEqual([language]);
  });

  test.each([
    ['{', 'the server configuration is not valid JSON'],
    ['[]', 'invalid server configuration'],
    ['{"servers":[{"command":[]}]}', 'invalid server configuration'],
    ['{"servers":[{"command":[" "]}]}', 'binary path is empty'],
    ['{"servers":[{"command":["x"],"timeout_ms":-1}]}', 'timeout_ms'],
  ])('%s is refused with the reason', (text, reason) => {
    expect(() => parseServerConfig(text)).toThrow(InvalidServerConfig);
    expect(() => parseServerConfig(text)).toThrow(reason);
  });
});

describe('servers laid over detected ones', () => {
  const detected = serverCatalogue.filter(({ name }) => ['typescript-7', 'gopls', 'clangd'].includes(name));

  test.each<{ specs: string[]; served: Record<string, string[]> }>([
    {
      specs: [],
      served: { 'typescript-7': ['typescript', 'javascript'], gopls: ['go'], clangd: ['c', 'cpp'] },
    },
    {
      specs: ['javascript:vtsls'],
      served: { vtsls: ['javascript'], 'typescript-7': ['typescript'], gopls: ['go'], clangd: ['c', 'cpp'] },
    },
    {
      specs: ['go:/opt/gopls', 'cobol:cobol-ls'],
      served: {
        'typescript-7': ['typescript', 'javascript'],
        gopls: ['go'],
        clangd: ['c', 'cpp'],
        'cobol-cobol-ls': ['cobol'],
      },
    },
  ])('$specs give $served', ({ specs, served }) => {
    expect(languagesByName(mergeServers(detected, specs.map(parseServerSpec)))).toEqual(served);
  });
});

/** Entries in the order of the definitions, which is the order of preference. */
function languagesByName(definitions: readonly ServerDefinition[]): Record<string, readonly string[]> {
  return Object.fromEntries(definitions.map(({ name, languages }) => [name, languages]));
}
