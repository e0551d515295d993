import fc from 'fast-check';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml, stringify } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml, stringify as stringifyYaml } from 'yaml';
import { asFailure } from '../../tools/failure.ts';
import { type EntryRequest, mergeEntry, removeEntry } from './config-entry.ts';

const json = { file: '/c.json', place: { format: 'json', key: 'mcpServers' } } as const;
const toml = { file: '/c.toml', place: { format: 'toml', key: 'mcp_servers' } } as const;
const yaml = { file: '/c.yaml', place: { format: 'yaml', key: 'extensions' } } as const;
const yamlList = { file: '/c.yaml', place: { format: 'yaml-list', key: 'mcpServers' } } as const;
const fields = { command: 'forerun', args: ['mcp'] };

type Config = typeof json | typeof toml | typeof yaml | typeof yamlList;

function merged(config: Config, text: string | undefined, request: Partial<EntryRequest> = {}): string {
  try {
    return mergeEntry(config, text, { fields, ...request });
  } catch (thrown) {
    const { code, message } = asFailure(thrown);
    return `${code} ${message}`;
  }
}

function removed(config: Config, text: string): string | undefined {
  try {
    return removeEntry(config, text);
  } catch (thrown) {
    const { code, message } = asFailure(thrown);
    return `${code} ${message}`;
  }
}

describe('an entry in JSON', () => {
  const entry = '"forerun": {\n      "command": "forerun",\n      "args": [\n        "mcp"\n      ]\n    }';

  test.each<[string, string | undefined, string]>([
    ['a file that is not there', undefined, `{\n  "mcpServers": {\n    ${entry}\n  }\n}\n`],
    ['an empty file', ' \n', `{\n  "mcpServers": {\n    ${entry}\n  }\n}\n`],
    ['an empty object', '{}', `{\n  "mcpServers": {\n    ${entry}\n  }\n}`],
    [
      'comments and other keys',
      '{\n  // why\n  "other": [1], /* what */\n  "mcpServers": {\n    "x": { "command": "y" } // theirs\n  }\n}\n',
      `{\n  // why\n  "other": [1], /* what */\n  "mcpServers": {\n    "x": { "command": "y" }, // theirs\n    ${entry}\n  }\n}\n`,
    ],
    [
      'tabs',
      '{\n\t"mcpServers": {}\n}',
      `{\n\t"mcpServers": {\n\t\t${entry.replaceAll(/ {2}/g, '\t').replaceAll('\n\t\t', '\n\t\t')}\n\t}\n}`,
    ],
    [
      'an entry with an environment',
      '{"mcpServers":{"forerun":{"command":"old","env":{"A":"1"},"args":["mcp"]}}}',
      '{"mcpServers":{"forerun":{"command":"forerun","env":{"A":"1"},"args":["mcp"]}}}',
    ],
    [
      'an older name of ours',
      '{"mcpServers":{"lsp":{"command":"/bin/forerun"},"forerun":{"command":"forerun","args":["mcp"]}}}',
      '{"mcpServers":{"forerun":{"command":"forerun","args":["mcp"]}}}',
    ],
    [
      "somebody else's server of that older name",
      '{"mcpServers":{"lsp":{"command":"other"},"forerun":{"command":"forerun","args":["mcp"]}}}',
      '{"mcpServers":{"lsp":{"command":"other"},"forerun":{"command":"forerun","args":["mcp"]}}}',
    ],
    [
      'broken JSON',
      '{"mcpServers": {',
      'cli/broken-config /c.json cannot be read: CloseBraceExpected at 1:17',
    ],
    ['a list', '[]', 'cli/broken-config /c.json cannot be read: it is not a JSON object'],
    [
      'a wrong holder',
      '{"mcpServers":[]}',
      'cli/broken-config /c.json cannot be read: "mcpServers" is not an object',
    ],
  ])('%s', (_what, text, expected) => {
    expect(merged(json, text)).toBe(expected);
  });

  test('Windows line endings stay', () => {
    const text = merged(json, '{\r\n  "a": 1\r\n}\r\n');
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    expect(parseJson(text)).toEqual({ a: 1, mcpServers: { forerun: fields } });
  });

  test('options that a user added stay, unless others were chosen or the program is another', () => {
    const text = '{"mcpServers":{"forerun":{"command":"forerun","args":["mcp","--log-level","debug"]}}}';
    const core = { command: 'forerun', args: ['mcp', '--toolset', 'core'] };
    expect(merged(json, text, { fields: core, kept: fields })).toBe(text);
    expect(parseJson(merged(json, text, { fields: core }))).toEqual({ mcpServers: { forerun: core } });
    const other = { command: 'node', args: ['/f.js', 'mcp'] };
    expect(parseJson(merged(json, text, { fields: other, kept: other }))).toEqual({
      mcpServers: { forerun: other },
    });
  });

  test('what a user switched off stays off', () => {
    const initial = { enabled: true };
    const off = '{"mcpServers":{"forerun":{"command":"forerun","args":["mcp"],"enabled":false}}}';
    expect(merged(json, off, { initial })).toBe(off);
    expect(parseJson(merged(json, undefined, { initial }))).toHaveProperty(
      'mcpServers.forerun.enabled',
      true,
    );
  });

  test.each<[string, string, string | undefined]>([
    ['ours alone', '{"mcpServers":{"forerun":{}}}', undefined],
    ['ours among others', '{"mcpServers":{"a":{},"forerun":{}}}', '{"mcpServers":{"a":{}}}'],
    ['none', '{"mcpServers":{}}', '{"mcpServers":{}}'],
    ['a comment is somebody', '{ // mine\n"mcpServers":{"forerun":{}}}', '{ // mine\n"mcpServers":{}}'],
    [
      'a comment between theirs and ours',
      '{\n  "mcpServers": {\n    "a": {}, // theirs\n    "forerun": {}\n  }\n}\n',
      '{\n  "mcpServers": {\n    "a": {} // theirs\n  }\n}\n',
    ],
    [
      'the first of two',
      '{\n  "mcpServers": {\n    "forerun": {},\n    // theirs\n    "a": {}\n  }\n}\n',
      '{\n  "mcpServers": {\n    // theirs\n    "a": {}\n  }\n}\n',
    ],
    ['with a trailing comma', '{"mcpServers":{"a":{},"forerun":{},}}', '{"mcpServers":{"a":{},}}'],
  ])('removal: %s', (_what, text, expected) => {
    expect(removed(json, text)).toBe(expected);
  });

  test('putting in and taking out gives back the text', () => {
    const servers = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 });
    fc.assert(
      fc.property(
        servers,
        fc.constantFrom('', ' // why', ' /* why */'),
        fc.constantFrom('\n', '\r\n'),
        (names, comment, eol) => {
          const lines = names.map(
            (name, index) => `    "${name}": { "x": [] }${index < names.length - 1 ? ',' : ''}${comment}`,
          );
          const text = ['{', '  "mcpServers": {', ...lines, '  }', '}', ''].join(eol);
          expect(removed(json, merged(json, text))).toBe(text);
        },
      ),
    );
  });

  test('merging twice is merging once, and no other value changes', () => {
    const values = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(values, fc.dictionary(fc.string(), fc.object()), (others, servers) => {
        const before = { ...others, mcpServers: { ...servers, forerun: { env: {} } } };
        const once = merged(json, JSON.stringify(before, undefined, 2));
        expect(merged(json, once)).toBe(once);
        const expected = { ...before, mcpServers: { ...servers, forerun: { env: {}, ...fields } } };
        expect(JSON.parse(once)).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
    );
  });
});

describe('an entry in TOML', () => {
  const table = '[mcp_servers.forerun]\ncommand = "forerun"\nargs = [ "mcp" ]\n';

  test.each<[string, string | undefined, string]>([
    ['a file that is not there', undefined, table],
    ['other settings', '# why\nmodel = "x" # what\n', `# why\nmodel = "x" # what\n\n${table}`],
    ['no newline at the end', 'a = 1', `a = 1\n\n${table}`],
    ['the same entry', `a = 1\n${table}`, `a = 1\n${table}`],
    [
      'an entry with more in it, between others',
      '[mcp_servers.x]\ncommand = "y"\n\n[mcp_servers.forerun] # ours\n# a comment\nargs = [\n  "old", # no\n]\nstartup_timeout_sec = 9\n\n[mcp_servers.forerun.env]\nA = "1"\n\n[z]\nb = 2\n',
      '[mcp_servers.x]\ncommand = "y"\n\n[mcp_servers.forerun] # ours\ncommand = "forerun"\n# a comment\nargs = [ "mcp" ]\nstartup_timeout_sec = 9\n\n[mcp_servers.forerun.env]\nA = "1"\n\n[z]\nb = 2\n',
    ],
    [
      'a quoted name',
      '[mcp_servers."forerun"]\ncommand = "old"\n',
      '[mcp_servers."forerun"]\nargs = [ "mcp" ]\ncommand = "forerun"\n',
    ],
    [
      'a header inside a text',
      `s = """\n[mcp_servers.forerun]\n"""\n`,
      `s = """\n[mcp_servers.forerun]\n"""\n\n${table}`,
    ],
    [
      'an inline table',
      'mcp_servers = { x = { command = "y" } }\n',
      'cli/uneditable-config /c.toml cannot be edited: "mcp_servers" is written in a form this command does not edit.',
    ],
    [
      'broken TOML',
      'a = \n',
      expect.stringMatching(/^cli\/broken-config \/c.toml cannot be read: .+ at 1:\d/),
    ],
  ])('%s', (_what, text, expected) => {
    expect(merged(toml, text)).toEqual(expected);
  });

  test.each<[string, string, string | undefined]>([
    ['ours alone', table, undefined],
    [
      'ours with tables of its own',
      `a = 1\n\n${table}[mcp_servers.forerun.env]\nA = "1"\n[b]\nc = 1\n`,
      'a = 1\n\n[b]\nc = 1\n',
    ],
    ['none', 'a = 1\n', 'a = 1\n'],
  ])('removal: %s', (_what, text, expected) => {
    expect(removed(toml, text)).toBe(expected);
  });

  test('merging and removing leaves every other value as it was', () => {
    const scalars = fc.oneof(fc.string(), fc.boolean(), fc.integer());
    const tables = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,6}$/),
      fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), scalars),
    );
    fc.assert(
      fc.property(tables, (others) => {
        const before = stringify(others);
        const once = merged(toml, before);
        expect(merged(toml, once)).toBe(once);
        const left = removed(toml, once) ?? '';
        expect(parseToml(left)).toEqual(parseToml(before));
      }),
    );
  });
});

describe('an entry in YAML', () => {
  const entry = '  forerun:\n    command: forerun\n    args:\n      - mcp\n';

  test.each<[string, string | undefined, string]>([
    ['a file that is not there', undefined, `extensions:\n${entry}`],
    ['other settings', '# why\nmodel: x # what\n', `# why\nmodel: x # what\nextensions:\n${entry}`],
    ['no newline at the end', 'a: 1', `a: 1\nextensions:\n${entry}`],
    ['a key without a value', 'extensions: # mine\na: 1\n', `extensions: # mine\n${entry}a: 1\n`],
    [
      'others, with comments between and after',
      'extensions:\n  # first\n  a:\n    cmd: x # y\n  b: { cmd: z } # flow\n\n# the end\nmodel: m\n',
      `extensions:\n  # first\n  a:\n    cmd: x # y\n  b: { cmd: z } # flow\n${entry}\n# the end\nmodel: m\n`,
    ],
    [
      'an entry with more in it',
      'extensions:\n  forerun:\n    command: old # theirs\n    env:\n      A: "1"\n    args: [mcp]\n  b: 1 # b\n',
      'extensions:\n  forerun:\n    command: forerun # theirs\n    env:\n      A: "1"\n    args:\n      - mcp\n  b: 1 # b\n',
    ],
    [
      'a flow map',
      'extensions: { a: { cmd: x } }\n',
      'cli/uneditable-config /c.yaml cannot be edited: "extensions" is written in a form this command does not edit.',
    ],
    [
      'two documents',
      'a: 1\n---\nb: 2\n',
      'cli/broken-config /c.yaml cannot be read: it holds several documents',
    ],
    ['a list', '- a\n', 'cli/broken-config /c.yaml cannot be read: it is not a YAML map'],
    [
      'broken YAML',
      'a: [\n',
      expect.stringMatching(/^cli\/broken-config \/c.yaml cannot be read: .+ at line \d/),
    ],
  ])('%s', (_what, text, expected) => {
    expect(merged(yaml, text)).toEqual(expected);
  });

  test('Windows line endings stay', () => {
    const text = merged(yaml, 'a: 1\r\nextensions:\r\n  b: 1\r\n');
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    expect(parseYaml(text)).toEqual({ a: 1, extensions: { b: 1, forerun: fields } });
  });

  test.each<[string, string, string | undefined]>([
    ['ours alone', `extensions:\n${entry}`, undefined],
    [
      'ours among others',
      `extensions:\n  a: 1 # x\n${entry}  # of b\n  b: 2\n`,
      'extensions:\n  a: 1 # x\n  # of b\n  b: 2\n',
    ],
    ['the only one beside other settings', `a: 1\nextensions:\n${entry}b: 2\n`, 'a: 1\nb: 2\n'],
    ['none', 'a: 1\n', 'a: 1\n'],
  ])('removal: %s', (_what, text, expected) => {
    expect(removed(yaml, text)).toBe(expected);
  });

  const named = { name: 'forerun', ...fields };
  const item = '  - name: forerun\n    command: forerun\n    args:\n      - mcp\n';

  test.each<[string, string, string]>([
    ['no list', 'name: mine\n', `name: mine\nmcpServers:\n${item}`],
    [
      'a list, not indented',
      'mcpServers:\n- name: a # x\n  command: y\n# end\nrules: []\n',
      `mcpServers:\n- name: a # x\n  command: y\n${item.replace(/^ {2}/gm, '')}# end\nrules: []\n`,
    ],
    [
      'an entry of ours',
      'mcpServers:\n  - name: forerun # ours\n    command: old\n    env: { A: b }\n  - name: b\n    command: c\n',
      'mcpServers:\n  - name: forerun # ours\n    command: forerun\n    env: { A: b }\n    args:\n      - mcp\n  - name: b\n    command: c\n',
    ],
  ])('in a list: %s', (_what, text, expected) => {
    const once = merged(yamlList, text, { fields: named });
    expect(once).toBe(expected);
    expect(merged(yamlList, once, { fields: named })).toBe(once);
  });

  test('putting into a list and taking out gives back the text', () => {
    const text = 'name: mine # n\nmcpServers:\n  - name: a\n    command: y # why\n# end\n';
    expect(removed(yamlList, merged(yamlList, text, { fields: named }))).toBe(text);
  });

  test('merging twice is merging once, and no other value changes', () => {
    const words = fc.stringMatching(/^[a-z][a-z0-9 #:-]{0,8}[a-z]$/);
    const values = fc.oneof(words, fc.integer(), fc.boolean(), fc.array(words), fc.dictionary(words, words));
    const others = fc.dictionary(
      words.filter((word) => word !== 'extensions'),
      values,
    );
    fc.assert(
      fc.property(
        others,
        fc.dictionary(words, fc.dictionary(words, values, { minKeys: 1 })),
        (rest, servers) => {
          const before = { ...rest, ...(Object.keys(servers).length > 0 && { extensions: servers }) };
          const text = Object.keys(before).length > 0 ? stringifyYaml(before) : '';
          const once = merged(yaml, text);
          expect(merged(yaml, once)).toBe(once);
          expect(parseYaml(once)).toEqual({ ...rest, extensions: { ...servers, forerun: fields } });
          expect(removed(yaml, once) ?? '').toBe(text);
        },
      ),
    );
  });
});
