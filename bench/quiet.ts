/** `npm run bench -- quiet`: proof against patience. */
import { messageOf } from '../src/base/failure.ts';
import { McpConnection } from '../test/support/mcp-connection.ts';
import type { Bench, Goal, Line } from './bench.ts';
import { previewGoal } from './preview.ts';
import type { BenchContext } from './support/bench-context.ts';
import type { BenchWorkspace } from './support/bench-workspace.ts';
import { type Measurement, sampleInTurn } from './support/measurement.ts';
import { changeAndPublication, changeAndQuiet, Misses, previewOverMcp } from './support/preview.ts';
import { locate, RawServer } from './support/raw-server.ts';
import { writeSmallWorkspace } from './support/small-workspace.ts';

const fifty: Goal = { kind: 'faster', times: 50 };
const twentyFive: Goal = { kind: 'faster', times: 25 };

const languages = [
  { language: 'typescript', goal: fifty },
  { language: 'go', goal: fifty },
  { language: 'rust', goal: fifty },
  { language: 'python', goal: twentyFive },
  { language: 'cpp', goal: twentyFive },
] as const;

/** Two thousand files beside the small ones: there the server itself takes longer, and so may anybody. */
const large = ['typescript', 'python'] as const;

export const bench: Bench = {
  name: 'quiet',
  claim: 'a warm preview_edit over MCP answers long before a client that waits for 500 ms of silence',
  goal: fifty,
  async *run(context, signal) {
    for (const { language, goal } of languages) {
      await using workspace = await writeSmallWorkspace(language);
      yield await compare({ context, workspace, goal }, signal);
    }
    for (const language of large) {
      const workspace = await context.generated(language);
      const line = await compare({ context, workspace, goal: { kind: 'none' } }, signal);
      yield { ...line, what: `${line.what}, ${workspace.files} files` };
    }
  },
};

async function compare(
  measured: { readonly context: BenchContext; readonly workspace: BenchWorkspace; readonly goal: Goal },
  signal: AbortSignal,
): Promise<Line> {
  const { context, workspace, goal } = measured;
  const { language } = workspace;
  const located = await locate(workspace, signal).catch((thrown: unknown) => messageOf(thrown));
  if (typeof located === 'string') return { kind: 'skipped', what: language, why: located };
  const { name } = located.definition;
  context.progress(`${language}: warming two servers (${name})`);
  // TypeScript 7 publishes nothing: its client waits for the whole window and then pulls.
  const afterwards = language === 'typescript' ? 'pull' : 'published';
  await using server = await RawServer.start(workspace, afterwards === 'pull' ? 'pull' : 'push', signal);
  await server.openWith(workspace.breaking.path, workspace.breaking.text);
  await using connection = await McpConnection.open({ words: ['--log-level', 'error'] });
  await connection.call('start_lsp', {
    root_dir: workspace.root,
    language_id: language,
    ready_timeout_seconds: 60,
  });
  await untilFound({ server, workspace, afterwards }, signal);
  const missed = { ours: new Misses(), beside: new Misses() };
  const { ours, beside } = await sampleInTurn(
    {
      ours: previewOverMcp(connection, workspace, missed.ours),
      beside: changeAndQuiet(server, workspace, { afterwards, misses: missed.beside }),
    },
    { warmUp: 3, rounds: 12, oursPerRound: 8 },
    signal,
  );
  // Whoever publishes with a version can be asked for the least it takes: nobody in front of it answers sooner.
  const isVersioned = located.definition.settle.mode === 'versioned-push';
  const alone = isVersioned
    ? await besideServerAlone({ server, connection, workspace, missed }, signal)
    : undefined;
  const reported = [missed.beside.reported('silence'), alone && reportedOf(alone, beside)];
  return {
    kind: 'measured',
    what: `${language} (${name})`,
    ours,
    beside: { what: 'change + 500 ms of silence', measurement: beside },
    goal: alone ? withinReach(goal, beside, alone) : goal,
    // Silence is no proof: a server that takes longer than the window over its answer is taken for content.
    note: reported.filter((part) => part !== undefined).join('; ') || undefined,
    shortfall: missed.ours.reported('ours'),
  };
}

/** The same server without anybody in front of it, and ours sampled in turn with it. */
interface ServerAlone {
  readonly server: Measurement;
  readonly ours: Measurement;
  readonly missed: Misses;
}

async function besideServerAlone(
  measured: {
    readonly server: RawServer;
    readonly connection: McpConnection;
    readonly workspace: BenchWorkspace;
    readonly missed: { readonly ours: Misses };
  },
  signal: AbortSignal,
): Promise<ServerAlone> {
  const { server, connection, workspace, missed } = measured;
  const unanswered = new Misses();
  const { ours, beside } = await sampleInTurn(
    {
      ours: previewOverMcp(connection, workspace, missed.ours),
      beside: changeAndPublication(server, workspace, unanswered),
    },
    { warmUp: 3, rounds: 40 },
    signal,
  );
  return { server: beside, ours, missed: unanswered };
}

/**
 * A server that takes most of the time there is leaves a client in front of it no more than the bench `preview` allows
 * one anywhere (docs/decisions/0010).
 */
function withinReach(goal: Goal, quiet: Measurement, { server }: ServerAlone): Goal {
  if (goal.kind !== 'faster') return goal;
  const reachable = quiet.median / (server.median * previewGoal.times + previewGoal.plusMs);
  return { kind: 'faster', times: Math.min(goal.times, Math.floor(reachable)) };
}

function reportedOf({ server, ours, missed }: ServerAlone, quiet: Measurement): string {
  const times = (quiet.median / server.median).toFixed(0);
  const reported = `the server alone answers in ${server.median.toFixed(1)} ms, ${times}x faster, ours in ${ours.median.toFixed(1)} ms beside it`;
  return [reported, missed.reported('the server alone')].filter((part) => part !== undefined).join('; ');
}

/** A server that is still loading says nothing of the error; samples start once it does. */
async function untilFound(
  {
    server,
    workspace,
    afterwards,
  }: {
    readonly server: RawServer;
    readonly workspace: BenchWorkspace;
    readonly afterwards: 'pull' | 'published';
  },
  signal: AbortSignal,
): Promise<void> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(60_000)]);
  for (let round = 10_000; ; round++) {
    deadline.throwIfAborted();
    const misses = new Misses();
    await changeAndQuiet(server, workspace, { afterwards, misses })(round);
    if (misses.reported('silence') === undefined) return;
  }
}
