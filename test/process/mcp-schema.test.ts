/** What `tools/list` answers, held against the rules of strict clients, for every toolset. */
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toolsetNames } from '../../src/tools/toolset.ts';
import { McpConnection } from '../support/mcp-connection.ts';

/** All that OpenAPI 3.0 and the function calling of the large providers have in common. */
const understood = new Set(['type', 'description', 'enum', 'items', 'properties', 'required']);
const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean']);

/** Every reason why a strict client would refuse a schema. */
function complaints(node: unknown, place: string): readonly string[] {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return [`${place}: not a schema`];
  const schema: Readonly<Record<string, unknown>> = { ...node };
  // The empty schema takes any value, in every dialect.
  if (Object.keys(schema).length === 0) return [];
  const found: string[] = [];
  for (const key of Object.keys(schema)) if (!understood.has(key)) found.push(`${place}: ${key}`);
  if (typeof schema.type !== 'string' || !types.has(schema.type))
    found.push(`${place}: type ${String(schema.type)}`);
  const properties = entriesOf(schema.properties);
  for (const [name, child] of properties) {
    if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) found.push(`${place}: name ${name}`);
    found.push(...complaints(child, `${place}.${name}`));
  }
  if (schema.type === 'array') found.push(...complaints(schema.items, `${place}[]`));
  if (schema.required !== undefined) {
    const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
    if (required.length === 0) found.push(`${place}: required is empty`);
    const names = properties.map(([name]) => name);
    found.push(
      ...required
        .filter((name) => !names.some((known) => known === name))
        .map((name) => `${place}: required ${String(name)}`),
    );
  }
  return found;
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

describe.each(toolsetNames)('the toolset %s', (toolset) => {
  let connection: McpConnection;

  beforeAll(async () => {
    connection = await McpConnection.open({ words: ['--toolset', toolset] });
  });

  afterAll(() => connection[Symbol.asyncDispose]());

  test('is accepted by a strict JSON Schema validator', async () => {
    const { tools } = await connection.client.listTools();
    const ajv = new Ajv({ strict: true, allErrors: true });
    for (const { name, inputSchema } of tools) {
      expect(ajv.validateSchema(inputSchema), name).toBe(true);
      expect(() => ajv.compile(inputSchema), name).not.toThrow();
    }
  });

  test('is accepted by clients that know OpenAPI 3.0 alone', async () => {
    const { tools } = await connection.client.listTools();
    expect(tools.flatMap(({ name, inputSchema }) => complaints(inputSchema, name))).toEqual([]);
  });

  test('has names, titles and descriptions every client can show', async () => {
    const { tools } = await connection.client.listTools();
    for (const { name, title, description = '', annotations } of tools) {
      expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
      expect(title, name).not.toBe('');
      expect(annotations?.title, name).toBe(title);
      expect(description.length, name).toBeGreaterThan(10);
      expect(description.length, name).toBeLessThanOrEqual(1024);
    }
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  });
});

test('through the core toolset every other tool is found and called', async () => {
  await using connection = await McpConnection.open({ words: ['--toolset', 'core'] });
  const { tools } = await connection.client.listTools();
  expect(tools.length).toBeLessThan(16);
  expect(tools.map(({ name }) => name)).not.toContain('list_sessions');
  const found = await connection.call('find_tool', { query: 'list the sessions' });
  expect(found.text).toContain('"name":"list_sessions"');
  const called = await connection.call('call_tool', { name: 'list_sessions' });
  const direct = await connection.call('list_sessions');
  expect(called).toEqual(direct);
  const wrong = await connection.call('call_tool', { name: 'nonsense' });
  expect(wrong).toMatchObject({ isError: true, text: 'unknown tool: nonsense' });
});
