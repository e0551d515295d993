/** `npm run bench -- dependents`: every file a changed signature reaches, open or not. */
import { World } from '../test/support/world.ts';
import type { Bench } from './bench.ts';
import type { GeneratedWorkspace } from './support/generated-workspace.ts';
import { type Sampler, sampleInTurn, timed } from './support/measurement.ts';
import { RawServer } from './support/raw-server.ts';
import { rangeOf } from './support/sample-edit.ts';

export const bench: Bench = {
  name: 'dependents',
  claim:
    'workspace scope over 200 unopened dependents costs little more than pulling them, and finds them all',
  goal: { kind: 'within', times: 1.3, plusMs: 0 },
  async *run(context, signal) {
    for (const language of ['typescript', 'python'] as const) {
      const workspace = await context.generated(language);
      context.progress(`${language}: warming two servers`);
      await using server = await RawServer.start(workspace, 'pull', signal);
      await server.openWith(workspace.coreChange.path, workspace.coreChange.text);
      await using world = await World.open({}, { root: workspace.root });
      const found: FoundDependents = { ours: new Set(), beside: new Set() };
      const mustOpen = language === 'python';
      const { ours, beside } = await sampleInTurn(
        {
          ours: evaluateDependents(world, workspace, found),
          beside: pullDependents(server, workspace, { mustOpen, found }),
        },
        { warmUp: 3, rounds: language === 'typescript' ? 25 : 9 },
        signal,
      );
      const wanted = workspace.leaves.length;
      const wrong = [...found.ours, ...found.beside].filter((count) => count !== wanted);
      yield {
        kind: 'measured',
        what: `${language}, ${wanted} of ${workspace.files} files`,
        ours,
        beside: { what: mustOpen ? 'raw change, open + pull' : 'raw change + pull', measurement: beside },
        note: `found ${[...found.ours].join(', ')} of ${wanted}`,
        ...(wrong.length > 0 && { shortfall: `not every answer found all ${wanted}` }),
      };
    }
  },
};

/** How many broken dependents the answers held; one number each when all of them agree. */
export interface FoundDependents {
  readonly ours: Set<number>;
  readonly beside: Set<number>;
}

function evaluateDependents(world: World, workspace: GeneratedWorkspace, found: FoundDependents): Sampler {
  const { coreChange, leaves } = workspace;
  const { signal } = new AbortController();
  const path = world.workspace.path(coreChange.path);
  const wanted = new Set(leaves);
  return async (round) => {
    const broken = new Set<string>();
    const elapsedMs = await timed(async () => {
      const session = await world.session(workspace.language);
      const edit = { range: rangeOf(coreChange), newText: coreChange.replacement(round) };
      await session.edit({ path, edit }, signal);
      const evaluation = await session.evaluate({ scope: 'workspace', timeoutMs: 60_000 }, signal);
      for (const finding of evaluation.introduced) if (wanted.has(finding.path)) broken.add(finding.path);
      await world.sessions.destroy(session.id);
    });
    found.ours.add(broken.size);
    return elapsedMs;
  };
}

/** pyright answers for open files only, so a client of it opens them first and closes them afterwards. */
export function pullDependents(
  server: RawServer,
  workspace: GeneratedWorkspace,
  options: { readonly mustOpen: boolean; readonly found: FoundDependents },
): Sampler {
  const { coreChange, leaves } = workspace;
  const { mustOpen, found } = options;
  return async (round) => {
    let counts: readonly number[] = [];
    const elapsedMs = await timed(async () => {
      await server.apply(coreChange, round);
      if (mustOpen) for (const leaf of leaves) await server.open(leaf);
      counts = await Promise.all([coreChange.path, ...leaves].map((path) => server.pull(path)));
    });
    found.beside.add(counts.slice(1).filter((count) => count > 0).length);
    await server.revert(coreChange, round);
    if (mustOpen) for (const leaf of leaves) await server.close(leaf);
    return elapsedMs;
  };
}
