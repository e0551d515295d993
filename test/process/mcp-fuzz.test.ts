/** Whatever arguments a client makes up, it gets an answer and the program lives on. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openFixture } from '../support/fixture.ts';
import { McpConnection } from '../support/mcp-connection.ts';

test('no arguments end the program', async () => {
  await using fixture = await openFixture('ts-two-modules');
  await using connection = await McpConnection.open({ cwd: fixture.root });
  const { tools } = await connection.client.listTools();
  const created = await connection.call('create_simulation_session', {
    workspace_root: fixture.root,
    language: 'typescript',
  });
  const plausible = fc.constantFrom<unknown>(
    fixture.root,
    fixture.file('math.ts'),
    'math.ts',
    created.json?.session_id,
    'typescript',
    'workspace',
    '/nowhere/x.ts',
    'a\0b',
    '',
    1,
    2,
    -1,
    1e300,
    null,
    true,
    [{}],
  );
  const value = fc.oneof(
    { weight: 3, arbitrary: plausible },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
  const call = fc.constantFrom(...tools).chain((tool) => {
    const names = Object.keys(tool.inputSchema.properties ?? {});
    const members = Object.fromEntries(
      names.map((name) => [name, name === 'timeout_ms' ? fc.constant(200) : value]),
    );
    return fc.record({ name: fc.constant(tool.name), arguments: fc.record(members, { requiredKeys: [] }) });
  });
  await fc.assert(
    fc.asyncProperty(call, async (request) => {
      const answer = await connection.call(request.name, request.arguments);
      expect(answer.content.length).toBeGreaterThan(0);
    }),
    { numRuns: 300 },
  );
  const destroyed = await connection.call('destroy_session', { session_id: created.json?.session_id });
  expect(destroyed.isError).toBe(false);
});
