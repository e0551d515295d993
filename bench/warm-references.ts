/**
 * A part of `npm run bench -- warm`: what finding the uses of a name costs on top of the request it rests on, and
 * what it costs where the answer was given before.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { languageId } from '../src/servers/language.ts';
import type { Lease } from '../src/servers/lease.ts';
import type { Position } from '../src/text/position.ts';
import { type ToolAnswer, ToolWorld } from '../test/support/tool-world.ts';
import type { Bench, Line } from './bench.ts';
import type { GeneratedWorkspace } from './support/generated-workspace.ts';
import { sampleInTurn, timed } from './support/measurement.ts';
import { rangeOf } from './support/sample-edit.ts';

export const bench: Bench = {
  name: 'warm-references',
  claim: 'the uses of a name cost little more than the request for them, and next to nothing the second time',
  goal: { kind: 'within', times: 2, plusMs: 3 },
  async *run(context, signal) {
    const workspace = await context.generated('typescript');
    const cacheDirectory = await mkdtemp(join(tmpdir(), 'forerun-bench-cache-'));
    try {
      context.progress('warming servers');
      await using asking = await ToolWorld.open({}, { root: workspace.root });
      await using knowing = await ToolWorld.open({}, { root: workspace.root, cacheDirectory });
      await askFor(knowing, workspace);
      yield await besideRaw(asking, workspace, 'asked of the server', signal);
      yield await besideRaw(knowing, workspace, 'known already', signal);
      yield await inNewProcess(workspace, cacheDirectory, signal);
    } finally {
      await rm(cacheDirectory, { recursive: true, force: true });
    }
  },
};

async function besideRaw(
  world: ToolWorld,
  workspace: GeneratedWorkspace,
  how: string,
  signal: AbortSignal,
): Promise<Line> {
  const found = new Set<number>();
  const compared = await sampleInTurn(
    {
      ours: async () => {
        let answer: ToolAnswer | undefined;
        const elapsedMs = await timed(async () => {
          answer = await askFor(world, workspace);
        });
        found.add(Array.isArray(answer?.json) ? answer.json.length : 0);
        return elapsedMs;
      },
      beside: async () => {
        // Borrowing the server is not what is measured.
        await using lease = await world.world.view.lease(languageId('typescript'), signal);
        return await timed(() => rawReferences(world, lease, workspace, signal));
      },
    },
    { warmUp: 5, rounds: 40 },
    signal,
  );
  const wanted = workspace.leaves.length;
  return {
    kind: 'measured',
    what: `find_references of a symbol with ${wanted} dependents, ${how}`,
    ours: compared.ours,
    beside: { what: 'raw references', measurement: compared.beside },
    note: `${[...found].join(', ')} uses found`,
    ...([...found].some((count) => count < wanted) && { shortfall: `fewer than ${wanted} were found` }),
  };
}

/** A program that has just been started, with a cache that another one filled, beside one that has none. */
async function inNewProcess(
  workspace: GeneratedWorkspace,
  cacheDirectory: string,
  signal: AbortSignal,
): Promise<Line> {
  const first = (options: { readonly cacheDirectory?: string }) => async (): Promise<number> => {
    await using world = await ToolWorld.open({}, { root: workspace.root, ...options });
    return await timed(() => askFor(world, workspace));
  };
  const compared = await sampleInTurn(
    { ours: first({ cacheDirectory }), beside: first({}) },
    { warmUp: 1, rounds: 5 },
    signal,
  );
  return {
    kind: 'measured',
    what: 'the first find_references of a process, known from an earlier one',
    ours: compared.ours,
    beside: { what: 'the same with a server that starts for it', measurement: compared.beside },
    goal: { kind: 'faster', times: 2 },
  };
}

async function askFor(world: ToolWorld, { coreChange }: GeneratedWorkspace): Promise<ToolAnswer> {
  const { line, character } = corePosition(coreChange);
  const place = { file_path: world.at(coreChange.path), line: line + 1, column: character + 1 };
  const answer = await world.call('find_references', place);
  if (answer.isError) throw new Error(answer.text);
  return answer;
}

async function rawReferences(
  { world }: ToolWorld,
  lease: Lease,
  { coreChange }: GeneratedWorkspace,
  signal: AbortSignal,
): Promise<unknown> {
  const uri = lease.uri(world.workspace.path(coreChange.path));
  const position = corePosition(coreChange);
  const params = { textDocument: { uri }, position, context: { includeDeclaration: false } };
  return lease.server.request('textDocument/references', params, {}, signal);
}

function corePosition(coreChange: GeneratedWorkspace['coreChange']): Position {
  return rangeOf({ ...coreChange, replaces: 'label(value' }).start;
}
