/** `npm run bench -- start`: how long the program takes to start, and how much memory it uses while idle. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bin } from '../test/support/built-program.ts';
import { McpConnection } from '../test/support/mcp-connection.ts';
import type { Bench, Goal } from './bench.ts';
import type { GeneratedWorkspace } from './support/generated-workspace.ts';
import { measurementOf, type Sampler, sampleInTurn, timed } from './support/measurement.ts';
import { RawServer } from './support/raw-server.ts';
import { residentMegabytes } from './support/resident-memory.ts';
import { toolArguments } from './support/sample-edit.ts';

const idleMemory: Goal = { kind: 'below', limit: 90 };

export const bench: Bench = {
  name: 'start',
  claim: 'the program answers soon after it is started, and is light while it idles',
  goal: { kind: 'within', times: 2, plusMs: 60 },
  async *run(context, signal) {
    const handshake = await sampleInTurn(
      { ours: initializeAnswered, beside: nodeAlone },
      { warmUp: 3, rounds: 21 },
      signal,
    );
    yield {
      kind: 'measured',
      what: 'initialize answered by a fresh `forerun mcp`',
      ours: handshake.ours,
      beside: { what: 'node -e 0', measurement: handshake.beside },
    };
    yield {
      kind: 'measured',
      what: 'idle memory after initialize',
      ...(await idleWeight()),
      goal: idleMemory,
    };
    for (const language of ['typescript', 'python'] as const) {
      const workspace = await context.generated(language);
      context.progress(`${language}: starting afresh, a few times`);
      const weights: number[] = [];
      const first = await sampleInTurn(
        { ours: firstVerdict(workspace, weights), beside: firstPull(workspace, signal) },
        { warmUp: 1, rounds: 5 },
        signal,
      );
      yield {
        kind: 'measured',
        what: `${language}: first verdict of a fresh start, ${workspace.files} files`,
        ours: first.ours,
        beside: { what: 'raw server: first pull of a fresh start', measurement: first.beside },
        goal: { kind: 'none' },
      };
      yield {
        kind: 'measured',
        what: `${language}: idle memory after the first verdict, without the server`,
        ours: measurementOf(weights, 'MB'),
        goal: idleMemory,
      };
    }
  },
};

const initializeMessage = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '0' } },
})}\n`;

async function initializeAnswered(): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [bin, 'mcp'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  child.stdin.write(initializeMessage);
  const [chunk]: unknown[] = await once(child.stdout, 'data');
  const elapsedMs = performance.now() - startedAt;
  child.stdin.end();
  await ended;
  if (!String(chunk).includes('"result"')) throw new Error(`initialize was answered with ${String(chunk)}`);
  return elapsedMs;
}

async function nodeAlone(): Promise<number> {
  return timed(() => once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit'));
}

async function idleWeight(): Promise<{ readonly ours: ReturnType<typeof measurementOf> }> {
  const weights: number[] = [];
  for (let round = 0; round < 5; round++) {
    await using connection = await McpConnection.open({ words: ['--log-level', 'error'] });
    weights.push(await residentMegabytes(connection.pid));
  }
  return { ours: measurementOf(weights, 'MB') };
}

/** Spawned, greeted and asked, with nothing of the workspace known beforehand. */
function firstVerdict(workspace: GeneratedWorkspace, weights: number[]): Sampler {
  const edit = workspace.breaking;
  return async (round) => {
    const args = { file_path: join(workspace.root, edit.path), ...toolArguments(edit, round) };
    const startedAt = performance.now();
    await using connection = await McpConnection.open({ words: ['--log-level', 'error'] });
    const answer = await connection.call('preview_edit', { ...args, timeout_ms: 60_000 });
    const elapsedMs = performance.now() - startedAt;
    if (answer.json?.net_delta !== 1)
      throw new Error(`the first verdict is wrong: ${answer.text.slice(0, 400)}`);
    weights.push(await residentMegabytes(connection.pid));
    return elapsedMs;
  };
}

function firstPull(workspace: GeneratedWorkspace, signal: AbortSignal): Sampler {
  const edit = workspace.breaking;
  return async (round) => {
    const startedAt = performance.now();
    await using server = await RawServer.start(workspace, 'pull', signal);
    await server.openWith(edit.path, edit.text);
    await server.apply(edit, round);
    if ((await server.pull(edit.path)) < 1) throw new Error('the first pull missed the error');
    return performance.now() - startedAt;
  };
}
