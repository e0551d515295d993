/** Processes that share a server through a broker, each with a hypothetical world of its own. */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { BrokerHome, programCommand } from '../support/broker-home.ts';
import { rounds } from '../support/soak.ts';
import { outline, type World } from '../support/world.ts';

const files = {
  'package.json': '{}',
  'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, lib: ['es2023'], noEmit: true } }),
  'value.ts': 'export const value: number = 1;\n',
  'user.ts':
    "import { value } from './value';\nexport const half: number = value / 2;\nexport const old: string = 7;\n",
};

/** `forerun mcp` in a process of its own. */
async function openProcess(home: BrokerHome) {
  const client = new Client({ name: 'test', version: '0' });
  const [command = '', ...args] = programCommand;
  const env = Object.fromEntries(Object.entries(home.env).map(([name, value]) => [name, value ?? '']));
  await client.connect(
    new StdioClientTransport({ command, args: [...args, 'mcp', '--daemon', 'on'], env, stderr: 'ignore' }),
  );
  const call = async (name: string, given: Record<string, unknown>) => {
    const answer = await client.callTool({ name, arguments: given });
    const [first] = answer.content;
    return JSON.parse(first?.type === 'text' ? first.text : '{}');
  };
  return { call, [Symbol.asyncDispose]: () => client.close() };
}

async function sessionWith(world: World, text: string) {
  const session = await world.session('typescript');
  await world.replace(session, 'value.ts', { replace: 'number = 1', with: text });
  return session;
}

const turns = rounds({ everyRun: 12, soak: 50 });

test(`three clients of one server in two processes, ${4 * turns} evaluations, each verdict its own`, async () => {
  await using home = await BrokerHome.open();
  const root = await home.workspace(files);
  const [one, other] = [await home.world(root), await home.world(root)];
  const [asText, asFlag] = [
    await sessionWith(one, "string = 'a'"),
    await sessionWith(other, 'boolean = true'),
  ];
  await one.evaluate(asText, 'workspace');
  const { servers } = await home.state();
  await using stranger = await openProcess(home);
  /** In the other process the value stays a number, but is called something else. */
  const renamed = {
    file_path: join(root, 'value.ts'),
    start_line: 1,
    start_column: 14,
    end_line: 1,
    end_column: 19,
    new_text: 'other',
    scope: 'workspace',
  };
  for (let round = 0; round < turns; round += 1) {
    const [text, flag, preview, plain] = await Promise.all([
      one.evaluate(asText, 'workspace'),
      other.evaluate(asFlag, 'workspace'),
      stranger.call('preview_edit', renamed),
      stranger.call('get_diagnostics', { file_path: join(root, 'user.ts') }),
    ]);
    for (const evaluation of [text, flag]) {
      expect(outline(evaluation)).toEqual({
        introduced: [expect.stringContaining('user.ts:2:29 The left-hand side of an arithmetic operation')],
        resolved: [],
        confidence: 'high',
      });
    }
    const missing = JSON.stringify(preview.errors_introduced);
    expect([preview.net_delta, preview.confidence]).toEqual([1, 'high']);
    expect(missing).toContain("has no exported member 'value'");
    expect(missing).not.toContain('arithmetic');
    expect(Object.values(plain)).toEqual([
      [expect.objectContaining({ message: "Type 'number' is not assignable to type 'string'." })],
    ]);
  }
  // Whoever came later was answered by servers of the same broker, and no process started one of its own.
  const after = await home.state();
  expect(after.clients).toBeGreaterThanOrEqual(3);
  expect(after.servers).toEqual(expect.arrayContaining([...servers]));
  expect([...(await home.serverPids())].sort()).toEqual([...after.servers].sort());
});
