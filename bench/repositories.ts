/**
 * `npm run bench -- repositories`: what an edit does to a whole workspace of several projects, beside the raw check of its file and
 * beside the compiler. FORERUN_BENCH_REPOSITORIES lists checkouts, dependencies installed; without it a generated one is measured.
 */
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { resolveEmbedded } from '../src/servers/embedded-server.ts';
import type { EvaluateOptions } from '../src/session/session.ts';
import { type Change, drawChanges } from '../test/support/changes/change.ts';
import { type Sources, sourcesIn, sourcesWhere } from '../test/support/changes/sources.ts';
import { typescriptKinds } from '../test/support/changes/typescript/kinds.ts';
import { runCompiler } from '../test/support/compilers/run-compiler.ts';
import { askMembers } from '../test/support/compilers/typescript-program.ts';
import { type TypeScriptProject, typescriptProjects } from '../test/support/compilers/typescript-projects.ts';
import { calm, World } from '../test/support/world.ts';
import type { Bench, Line } from './bench.ts';
import { writeBenchMonorepo } from './support/bench-monorepo.ts';
import { countDependents } from './support/importers.ts';
import { measurementOf, sampleInTurn, timed } from './support/measurement.ts';
import { RawPrograms } from './support/raw-programs.ts';

export const bench: Bench = {
  name: 'repositories',
  claim:
    'an edit is judged over all projects for little more than checking its file, a changed signature far below the compiler',
  goal: { kind: 'within', times: 1.5, plusMs: 0 },
  async *run(context, signal) {
    const progress = (text: string): void => context.progress(text);
    const named = (process.env.FORERUN_BENCH_REPOSITORIES ?? '')
      .split(delimiter)
      .filter((path) => path !== '');
    for (const directory of named) yield* measure(await realpath(directory), progress, signal);
    if (named.length > 0) return;
    progress('writing a monorepo of several hundred files');
    await using generated = await writeBenchMonorepo();
    yield* measure(generated.root, progress, signal);
  },
};

interface Measured {
  readonly root: string;
  readonly name: string;
  readonly world: World;
  readonly raw: RawPrograms;
  /** A copy that the compiler may write to. */
  readonly copy: string;
  readonly projects: readonly TypeScriptProject[];
  readonly signal: AbortSignal;
}

type Place = 'leaf' | 'hub';

async function* measure(
  root: string,
  progress: (text: string) => void,
  signal: AbortSignal,
): AsyncGenerator<Line> {
  const name = basename(root).startsWith('forerun-bench-') ? 'generated' : basename(root);
  progress(`${name}: copying, opening every project and warming a server`);
  const projects = typescriptProjects(root);
  const configs = projects.map(({ config }) => config);
  const sources = await checkedSources(root, configs);
  const copy = await mkdtemp(join(tmpdir(), 'forerun-bench-copy-'));
  try {
    await cp(root, copy, { recursive: true, verbatimSymlinks: true });
    using raw = RawPrograms.open(root, configs);
    await using world = await World.open({}, { root });
    const measured: Measured = { root, name, world, raw, copy, projects, signal };
    const places = placesIn(root, sources);
    for (const place of ['leaf', 'hub'] as const) {
      const own = sourcesWhere(sources, (path) => path === places[place]);
      for (const kind of ['comment', 'body'] as const) yield* besideRaw(measured, { place, kind, own });
      yield* signatureAt(measured, place, own);
      if (place === 'hub') yield* firstPartial(measured, own);
    }
    yield* signatures(measured, sources);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Only files that some project checks, and that are not declarations, are edited. */
async function checkedSources(root: string, configs: readonly string[]): Promise<Sources> {
  const members = new Set([...(await askMembers(root, configs)).values()].flat());
  return sourcesWhere(sourcesIn(root), (path) => members.has(path) && /(?<!\.d)\.tsx?$/.test(path));
}

const signatureKinds = ['required-parameter', 'parameter-type', 'return-type', 'member-added'];

/** The file with the most dependents and one with none, among those that every kind of edit finds a place in. */
function placesIn(root: string, sources: Sources): Readonly<Record<Place, string>> {
  const counts = countDependents(root, sources);
  const ranked = [...sources.paths].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  const isEditable = (path: string): boolean => {
    const own = sourcesWhere(sources, (each) => each === path);
    return [['body'], signatureKinds].every(
      (only) => drawChanges(typescriptKinds, own, { seed: 1, count: 1, only }).length > 0,
    );
  };
  const hub = ranked.find(isEditable);
  const leaf = ranked.findLast(isEditable);
  if (hub === undefined || leaf === undefined) throw new Error(`${root} has no file to edit`);
  return { leaf, hub };
}

/** A comment or a statement more: no other file can change by it. */
async function* besideRaw(
  { name, world, raw, signal }: Measured,
  { place, kind, own }: { readonly place: Place; readonly kind: string; readonly own: Sources },
): AsyncGenerator<Line> {
  const changes = several(own, [kind], 18);
  const [path = ''] = own.paths;
  const answers = new Set<string>();
  const warmUp = 1;
  const rounds = roundsFor(await judged(world, changes(1000), workspaceScope, answers), 15);
  const { ours, beside } = await sampleInTurn(
    {
      ours: (round) => judged(world, changes(round), workspaceScope, answers),
      beside: async (round) => {
        const elapsedMs = raw.check(path, textOf(changes(round), path));
        raw.revert(path);
        return elapsedMs;
      },
    },
    { warmUp, rounds },
    signal,
  );
  const fileMs: number[] = [];
  for (let round = 0; round < rounds; round++)
    fileMs.push(await judged(world, changes(round), { scope: 'file' }, new Set()));
  const file = measurementOf(fileMs, 'ms');
  yield {
    kind: 'measured',
    what: `${name}, ${kind}, ${place} ${path}`,
    ours,
    beside: { what: `raw check in ${raw.holders(path)} programs`, measurement: beside },
    note: `${[...answers].join(', ')}; file scope ${file.median.toFixed(0)} ms`,
  };
}

async function* signatureAt(measured: Measured, place: Place, own: Sources): AsyncGenerator<Line> {
  const { name, world, signal } = measured;
  const changes = several(own, signatureKinds, 6);
  const answers = new Set<string>();
  const rounds = roundsFor(await compiled(measured, changes(1000)), 5);
  const { ours, beside } = await sampleInTurn(
    {
      ours: (round) => judged(world, changes(round), workspaceScope, answers),
      beside: (round) => compiled(measured, changes(round)),
    },
    { warmUp: 0, rounds },
    signal,
  );
  yield {
    kind: 'measured',
    what: `${name}, signature, ${place} ${own.paths[0]}`,
    ours,
    beside: { what: compilerName(measured), measurement: beside },
    goal: { kind: 'within', times: place === 'hub' ? 0.8 : 1, plusMs: 0 },
    note: [...answers].join(', '),
  };
}

/** How long a reader of a hub's changed signature waits for something to read. */
async function* firstPartial({ name, world, signal }: Measured, own: Sources): AsyncGenerator<Line> {
  const changes = several(own, signatureKinds, 6);
  const firstOf = async (round: number): Promise<number> => {
    const startedAt = performance.now();
    let firstMs: number | undefined;
    const onPartial = (): void => {
      firstMs ??= performance.now() - startedAt;
    };
    const wholeMs = await judged(world, changes(round), { scope: 'workspace', onPartial }, new Set());
    return firstMs ?? wholeMs;
  };
  const { ours, beside } = await sampleInTurn(
    { ours: firstOf, beside: (round) => judged(world, changes(round), { scope: 'file' }, new Set()) },
    { warmUp: 1, rounds: roundsFor(await firstOf(1000), 7) },
    signal,
  );
  yield {
    kind: 'measured',
    what: `${name}, signature, hub ${own.paths[0]}, first partial answer`,
    ours,
    beside: { what: 'file scope', measurement: beside },
    goal: { kind: 'within', times: 5, plusMs: 0 },
  };
}

/** Signatures drawn from the whole workspace: what an ordinary one costs, and the dearest. */
async function* signatures(measured: Measured, sources: Sources): AsyncGenerator<Line> {
  const { name, world, signal } = measured;
  const changes = drawChanges(typescriptKinds, sources, { seed: 7, count: 24, only: signatureKinds });
  const taken = { ours: [] as number[], beside: [] as number[] };
  const answers = new Set<string>();
  for (const [at, change] of changes.entries()) {
    signal.throwIfAborted();
    taken.ours.push(await judged(world, change, workspaceScope, answers));
    if (at % 4 === 0) taken.beside.push(await compiled(measured, change));
  }
  const beside = { what: compilerName(measured), measurement: measurementOf(taken.beside, 'ms') };
  const note = [...answers].join(', ');
  const line = { kind: 'measured', beside } as const;
  yield {
    ...line,
    what: `${name}, signature, median of ${changes.length} exports`,
    ours: measurementOf(taken.ours, 'ms'),
    goal: { kind: 'within', times: 0.2, plusMs: 0 },
    note,
  };
  yield {
    ...line,
    what: `${name}, signature, the dearest of them`,
    ours: measurementOf([Math.max(...taken.ours)], 'ms'),
    goal: { kind: 'within', times: 1, plusMs: 0 },
  };
}

/** As many rounds as half a minute holds: a large repository has fewer of them, but never less than three. */
function roundsFor(oneMs: number, most: number): number {
  return Math.max(3, Math.min(most, Math.floor(30_000 / oneMs)));
}

/** One change a round; where a file offers too few, they come round again with another text. */
function several(own: Sources, only: readonly string[], count: number): (round: number) => Change {
  const changes = drawChanges(typescriptKinds, own, { seed: 3, count, only });
  return (round) => {
    const change = changes[round % changes.length];
    if (change === undefined) throw new Error(`no ${only.join(' or ')} change fits ${own.paths.join(', ')}`);
    const marked = change.files.map((file) => ({
      ...file,
      after: file.after === undefined ? undefined : `${file.after}// round ${round}\n`,
    }));
    return { ...change, files: marked };
  };
}

function textOf({ files }: Change, path: string): string {
  return files.find((file) => file.path === path)?.after ?? '';
}

const workspaceScope: AskedScope = { scope: 'workspace' };

type AskedScope = Pick<EvaluateOptions, 'scope' | 'onPartial'>;

async function judged(
  world: World,
  change: Change,
  asked: AskedScope,
  answers: Set<string>,
): Promise<number> {
  let answer = '';
  const elapsedMs = await timed(async () => {
    const session = await world.session('typescript');
    await session.transform(async (overlay) => {
      let changed = overlay;
      for (const { path, after } of change.files) {
        const at = world.workspace.path(path);
        changed = after === undefined ? changed.remove(at) : changed.write(at, { kind: 'text', text: after });
      }
      return changed;
    }, calm);
    const { confidence } = await session.evaluate({ ...asked, timeoutMs: 300_000 }, calm);
    await world.sessions.destroy(session.id);
    answer = confidence;
  });
  answers.add(answer);
  return elapsedMs;
}

/** Only the compiler's own time counts; the copy is put back afterwards. */
async function compiled({ root, copy, projects, signal }: Measured, change: Change): Promise<number> {
  const write = (text: (path: string) => Promise<string> | string) =>
    Promise.all(change.files.map(async ({ path }) => writeFile(join(copy, path), await text(path))));
  await write((path) => textOf(change, path));
  const [tsc = 'tsc'] = resolveEmbedded('typescript');
  const elapsedMs = await timed(async () => {
    for (const words of compilerRuns(projects))
      await runCompiler({ command: [tsc, ...words], cwd: copy }, signal);
  });
  await write((path) => readFile(join(root, path), 'utf8'));
  return elapsedMs;
}

/** One build over the references where there are any, else each project by itself. */
function compilerRuns(projects: readonly TypeScriptProject[]): readonly (readonly string[])[] {
  if (isReferenced(projects)) return [['-b', '--force']];
  return projects.map(({ config }) => ['-p', config, '--noEmit']);
}

function compilerName({ projects }: Measured): string {
  return isReferenced(projects) ? 'tsc -b --force' : `tsc -p, ${projects.length} projects`;
}

function isReferenced(projects: readonly TypeScriptProject[]): boolean {
  return projects.some(({ references }) => references.length > 0);
}
