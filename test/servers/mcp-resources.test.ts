/** Resources as a client reads them: the same answers as the tools, under the same rules. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { HttpDoor } from '../support/http-door.ts';
import { textOf } from '../support/tool-text.ts';

let door: HttpDoor;
let client: Client;
let ts: Fixture;
let py: Fixture;

beforeAll(async () => {
  [door, ts, py] = await Promise.all([
    HttpDoor.open(),
    openFixture('ts-two-modules'),
    openFixture('py-two-modules'),
  ]);
  client = await door.client();
});

afterAll(async () => {
  await door[Symbol.asyncDispose]();
  await Promise.all([ts, py].map((fixture) => fixture[Symbol.asyncDispose]()));
});

async function read(uri: string, reader = client): Promise<{ mimeType: string | undefined; text: string }> {
  const [content] = (await reader.readResource({ uri })).contents;
  return { mimeType: content?.mimeType, text: content && 'text' in content ? content.text : '' };
}

test('what can be read is listed, and so are its templates', async () => {
  const { resources } = await client.listResources();
  expect(resources.map(({ uri, name }) => `${uri} ${name}`)).toEqual([
    'lsp-diagnostics:// All Diagnostics',
    'lsp-hover:// LSP Hover',
    'lsp-completions:// LSP Completions',
    'inspect://last Last Inspection',
  ]);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ name, uriTemplate }) => `${name} ${uriTemplate}`)).toEqual([
    'lsp-diagnostics lsp-diagnostics:///{filePath}',
    'lsp-hover lsp-hover:///{filePath}?line={line}&column={column}&language_id={language_id}',
    'lsp-completions lsp-completions:///{filePath}?line={line}&column={column}&language_id={language_id}',
    'forerun-session forerun-session:///{id}',
  ]);
});

describe('before any workspace is open', () => {
  test('there are no diagnostics, and no inspection to look for', async () => {
    const fresh = await door.client();
    expect(await read('lsp-diagnostics://', fresh)).toEqual({ mimeType: 'application/json', text: '{}' });
    await expect(read('inspect://last', fresh)).rejects.toThrow('no workspace is open');
  });
});

describe.each([
  {
    language: 'typescript',
    fixture: () => ts,
    file: 'math.ts',
    place: 'line=1&column=17',
    hover: 'add',
    open: 'app.ts',
  },
  {
    language: 'python',
    fixture: () => py,
    file: 'shapes.py',
    place: 'line=1&column=5',
    hover: 'area',
    open: 'main.py',
  },
])('on $language', ({ language, fixture, file, place, hover, open }) => {
  /** A workspace is a connection's own choice, so each language gets a connection. */
  let reader: Client;

  beforeAll(async () => {
    reader = await door.client();
    await reader.callTool({
      name: 'start_lsp',
      arguments: { root_dir: fixture().root, language_id: language },
    });
  });

  test('the diagnostics of a file are its own, however its path was put into the template', async () => {
    for (const slashes of ['//', '///']) {
      const { text } = await read(`lsp-diagnostics:${slashes}${fixture().file(file)}`, reader);
      expect(JSON.parse(text)).toEqual({ [`file://${fixture().file(file)}`]: [] });
    }
  });

  test('the diagnostics of everything are those of the open documents', async () => {
    await reader.callTool({ name: 'open_document', arguments: { file_path: fixture().file(open) } });
    const { text } = await read('lsp-diagnostics://', reader);
    expect(Object.keys(JSON.parse(text))).toEqual([`file://${fixture().file(open)}`]);
  });

  test('hover and completions answer at a place counted from one', async () => {
    const query = `${place}&language_id=${language}`;
    const hovered = await read(`lsp-hover://${fixture().file(file)}?${query}`, reader);
    expect(hovered).toEqual({ mimeType: 'text/plain', text: expect.stringContaining(hover) });
    const completed = await read(`lsp-completions://${fixture().file(file)}?${query}`, reader);
    expect(JSON.parse(completed.text)).toMatchObject({ items: expect.any(Array) });
  });
});

describe('what is not there or not allowed', () => {
  test.each<[string, string]>([
    ['an unknown kind', 'nonsense://x'],
    ['a kind that is only ever told of', 'lsp-references://'],
    ['a session nobody has', 'forerun-session:///00000000-0000-4000-8000-000000000000'],
  ])('%s is not found', async (_what, uri) => {
    await expect(read(uri)).rejects.toMatchObject({ code: expect.any(Number) });
  });

  test.each<[string]>([['lsp-hover'], ['lsp-completions']])('%s needs to know the place', async (kind) => {
    await expect(read(`${kind}://${ts.file('math.ts')}?line=1`)).rejects.toThrow(
      'URI missing required query params (line, column, language_id)',
    );
  });

  test.each<[string, () => string]>([
    ['an unknown kind', () => 'nonsense://x'],
    ['a kind whose changes are not announced', () => 'lsp-hover://'],
    ['a session nobody has', () => 'forerun-session:///00000000-0000-4000-8000-000000000000'],
    ['a missing file', () => `lsp-diagnostics://${ts.file('missing.ts')}`],
    ['a file outside the workspace', () => `lsp-diagnostics://${py.file('main.py')}`],
    ['a path that leads outside', () => `lsp-diagnostics://${ts.root}/../../etc/passwd`],
    ['references of a file outside', () => `lsp-references://${py.file('main.py')}`],
  ])('subscribing to %s is refused, and leaving it is not', async (_what, uri) => {
    const reader = await door.client();
    await reader.callTool({ name: 'start_lsp', arguments: { root_dir: ts.root, language_id: 'typescript' } });
    // The protocol library sends the code of a missing resource in its newest form, with the URI in data.
    const refused = reader.subscribeResource({ uri: uri() });
    await expect(refused).rejects.toMatchObject({ code: -32602, data: { uri: uri() } });
    expect(await reader.unsubscribeResource({ uri: uri() })).toEqual({});
    expect(await reader.subscribeResource({ uri: `lsp-diagnostics://${ts.file('math.ts')}` })).toEqual({});
  });

  test('a file outside the workspace is not read, by name or through a link', async () => {
    const reader = await door.client();
    await reader.callTool({ name: 'start_lsp', arguments: { root_dir: ts.root, language_id: 'typescript' } });
    await symlink(py.file('main.py'), ts.file('linked.py'));
    await mkdir(ts.file('.forerun'), { recursive: true });
    await symlink(py.file('main.py'), join(ts.file('.forerun'), 'last-inspection.json'));
    for (const uri of [
      `lsp-diagnostics://${py.file('main.py')}`,
      `lsp-diagnostics://${ts.file('linked.py')}`,
      `lsp-diagnostics://${ts.root}/../../etc/passwd`,
      `lsp-hover://${py.file('main.py')}?line=1&column=1&language_id=python`,
      'inspect://last',
    ]) {
      await expect(read(uri, reader), uri).rejects.toThrow('outside workspace root');
    }
  });
});

test('the last inspection is read as it was left, and its absence explained', async () => {
  const reader = await door.client();
  await reader.callTool({ name: 'start_lsp', arguments: { root_dir: py.root, language_id: 'python' } });
  expect(JSON.parse((await read('inspect://last', reader)).text)).toEqual({
    error: 'no inspection results found',
    hint: expect.any(String),
  });
  await mkdir(py.file('.forerun'));
  await writeFile(py.file('.forerun/last-inspection.json'), '{"findings":[]}');
  expect((await read('inspect://last', reader)).text).toBe('{"findings":[]}');
});

test('a session is read as its diff and last verdict, by its own connection alone', async () => {
  const owner = await door.client();
  const call = async (name: string, args: Record<string, unknown>) =>
    JSON.parse(textOf(await owner.callTool({ name, arguments: args })));
  const { session_id } = await call('create_simulation_session', {
    workspace_root: ts.root,
    language: 'typescript',
  });
  const range = { start_line: 1, start_column: 24, end_line: 1, end_column: 30 };
  await call('simulate_edit', { session_id, file_path: ts.file('math.ts'), ...range, new_text: 'string' });
  await call('evaluate_session', { session_id, timeout_ms: 60_000 });
  const uri = `forerun-session:///${session_id}`;
  const { resources } = await owner.listResources();
  expect(resources.map((resource) => resource.uri)).toContain(uri);
  expect(JSON.parse((await read(uri, owner)).text)).toMatchObject({
    session_id,
    status: 'evaluated',
    edits: 1,
    diff: expect.stringContaining('+++ b/math.ts'),
    evaluation: { verdict: 'broken' },
  });
  await expect(read(uri)).rejects.toThrow();
});
