/**
 * What is compared to evaluate an overlay, decided before a server is asked.
 *
 * Invariants: a file that the change can affect is among `files`, or the doubt about it is in `reach` or
 * `projectDoubt`. It is left out only if it is proved that the change is invisible to it, or if the import graph has no
 * path to it. A file is measured on a side only if it exists there and some project checks it.
 */
import type { Reach } from '../graph/reach/reach-graph.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { ProjectionPlan } from '../live/projection-plan.ts';
import { showAhead } from '../live/server-lender.ts';
import type { FileChange, Overlay } from '../overlay/overlay.ts';
import { CompilationFlags, isUnit, shownTextReader } from '../servers/c/compilation-database.ts';
import { fewestUnits } from '../servers/c/unit-choice.ts';
import { checkedManifests } from '../servers/checked-manifest.ts';
import { isAnsweredFor, isImportedAsData, isShownTo } from '../servers/file-relevance.ts';
import { type CheckedFiles, checkedFiles } from '../servers/project/checked-files.ts';
import type { OverlayEffect, Scope } from '../servers/projection.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import type { SettleOptions } from '../servers/settling.ts';
import type { ShownProjects } from '../servers/typescript/typescript-projects.ts';
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';
import { type Against, type ComparisonBase, comparisonBaseOf, overlayBeneath } from './comparison-base.ts';
import { mayMoveFiles, movedFiles, movedUnseen } from './program-files.ts';

export interface Comparison extends CheckedOnly {
  readonly base: ComparisonBase;
  /** The changes of the overlay that the server answers for. */
  readonly changes: readonly FileChange[];
  readonly reach: Reach;
  /** Whether the diagnostics of configuration files are compared too. */
  readonly withConfigs: boolean;
  /** The changed files, old names included; hints are requested for these only. */
  readonly hintsFor: ReadonlySet<WorkspacePath>;
  /** Units among `files` that are asked only because they include a changed header. */
  readonly witnesses: ReadonlySet<WorkspacePath>;
  /** Whether both sides are measured with the bodies of headers; see `SettleOptions`. */
  readonly headerBodies: NonNullable<SettleOptions['headerBodies']>;
}

interface ComparedOverlay {
  readonly overlay: Overlay;
  readonly scope: Scope;
  /** The base of the comparison; absent: the disk. */
  readonly against?: Against;
}

/** In file scope the affected files are not computed. */
const unasked: Reach = { files: [], complete: true };

export async function planComparison(
  live: LiveWorkspace,
  { overlay, scope, against = 'disk' }: ComparedOverlay,
  { plan, touched }: { readonly plan: ProjectionPlan; readonly touched: readonly WorkspacePath[] },
  signal: AbortSignal,
): Promise<Comparison> {
  const { definition } = plan.located;
  const reach = scope === 'workspace' ? await reachOf(live, { overlay, against, plan }, signal) : unasked;
  const base = await comparisonBaseOf(live, { overlay, against }, (path) => isAnsweredFor(definition, path));
  const { changes } = base;
  // Where the reach is not known, files of the layers beneath may be ones that no import graph of the disk has.
  const near = scope === 'workspace' && !reach.complete ? base.beneath : [];
  const manifests = await manifestsToCheck(live, plan, { touched, base });
  const witnesses = scope === 'file' ? await witnessesOf(live, { overlay, plan, base }, signal) : [];
  const files = filesToCompare(base, [...reach.files, ...near, ...manifests, ...witnesses], reach);
  const checked = narrowsItsFiles(definition)
    ? checkedOnly(files, changes, {
        before: checkedFiles(definition, live.workspace, base.shown),
        after: checkedFiles(definition, live.workspace, plan.effect),
      })
    : { files, unchecked: [], projectDoubt: undefined };
  const skippedHeaders = await unaskedHeaders(live, plan, { checked, changes }, signal);
  const isAsked = (path: WorkspacePath): boolean => !skippedHeaders.has(path);
  // Errors of a project as a whole are reported at its configuration, and only these changes can alter them.
  const altersProjects =
    touched.some((path) => isImportedAsData(definition, path)) || changes.some(comesOrGoes);
  const hintsFor = new Set(changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])));
  const withConfigs = scope === 'workspace' && altersProjects;
  return {
    ...checked,
    files: { before: checked.files.before.filter(isAsked), after: checked.files.after.filter(isAsked) },
    ...{ base, changes, reach, withConfigs, hintsFor },
    witnesses: new Set(witnesses.filter((path) => !hintsFor.has(path))),
    headerBodies: await headerBodiesFor(live, definition, { changes, scope }),
  };
}

/**
 * A unit that changes alone can alter what templates of its headers are instantiated with. The compiler reports such errors in
 * the headers, which are not looked at in file scope; that scope stays as fast as the server.
 */
async function headerBodiesFor(
  live: LiveWorkspace,
  definition: ServerDefinition,
  { changes, scope }: { readonly changes: readonly FileChange[]; readonly scope: Scope },
): Promise<Comparison['headerBodies']> {
  if (definition.compilation !== 'database') return 'skipped';
  if (scope === 'file') return changes.every(({ path }) => isUnit(path)) ? 'skipped' : 'checked';
  return (await live.reach.keepTokens(definition, changes)) ? 'skipped' : 'checked';
}

/**
 * The unchanged headers whose errors compared units report. Each would have to be compiled once more by itself. Where a
 * database lists the units, no compiler reads a header that none of them includes: a unit that includes it is affected too.
 */
async function unaskedHeaders(
  live: LiveWorkspace,
  { located: { definition }, effect }: ProjectionPlan,
  { checked: { files }, changes }: { readonly checked: CheckedOnly; readonly changes: readonly FileChange[] },
  signal: AbortSignal,
): Promise<ReadonlySet<WorkspacePath>> {
  if (definition.compilation !== 'database') return new Set();
  const changed = new Set(changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])));
  const included = await live.reach.importedBy(definition, files.after.filter(isUnit), changes, signal);
  const absolute = (path: WorkspacePath): string => live.workspace.absolute(path);
  const flags = new CompilationFlags(shownTextReader(effect, absolute));
  const isOfDatabase = (path: WorkspacePath): boolean => flags.of(absolute(path)) === 'unlisted';
  const headers = [...files.before, ...files.after].filter((path) => !isUnit(path) && !changed.has(path));
  return new Set(headers.filter((path) => included.has(path) || isOfDatabase(path)));
}

/** In file scope a header may not compile by itself, so a few units that include it are asked about it too. */
async function witnessesOf(
  live: LiveWorkspace,
  {
    overlay,
    plan,
    base: { changes, shown },
  }: { readonly overlay: Overlay; readonly plan: ProjectionPlan; readonly base: ComparisonBase },
  signal: AbortSignal,
): Promise<readonly WorkspacePath[]> {
  const { definition } = plan.located;
  const headers = changes.flatMap(({ path, after }) => (after === undefined || isUnit(path) ? [] : [path]));
  if (definition.compilation !== 'database' || headers.length === 0) return [];
  const { files } = await live.reach.of({ overlay }, plan, signal);
  const checked = [shown, plan.effect].map((effect) => checkedFiles(definition, live.workspace, effect));
  const units = files.filter((path) => isUnit(path) && checked.every((side) => side.has(path)));
  const included = new Map<WorkspacePath, ReadonlySet<WorkspacePath>>();
  for (const unit of units)
    included.set(unit, new Set((await live.reach.importedBy(definition, [unit], changes, signal)).keys()));
  return fewestUnits(headers, included);
}

/** Whether a configuration says which files the server's checker reports on; otherwise it is every file. */
function narrowsItsFiles({ compilation, project }: ServerDefinition): boolean {
  return compilation === 'database' || project !== undefined;
}

/** Manifests that the compiler reads; diagnostics about them are available in a mount only. */
async function manifestsToCheck(
  live: LiveWorkspace,
  plan: ProjectionPlan,
  { touched, base }: { readonly touched: readonly WorkspacePath[]; readonly base: ComparisonBase },
): Promise<readonly WorkspacePath[]> {
  if (plan.mode !== 'mounted') return [];
  return checkedManifests(plan.located.definition, touched, {
    path: (text) => live.workspace.path(text),
    exists: base.exists,
  });
}

/**
 * The files in the order in which their answers are worth knowing: the changed ones, those that name a changed
 * declaration themselves, and the others. Steps without a file after the change are left out.
 */
export function stepsOf({ files, hintsFor: changed, reach }: Comparison): readonly FilesToCompare[] {
  const direct = new Set(reach.direct);
  const stepOf = (path: WorkspacePath): number => (changed.has(path) ? 0 : direct.has(path) ? 1 : 2);
  const steps = [0, 1, 2].map((step) => ({
    before: files.before.filter((path) => stepOf(path) === step),
    after: files.after.filter((path) => stepOf(path) === step),
  }));
  const empty = steps.filter(({ after }) => after.length === 0).flatMap(({ before }) => before);
  const [first = { before: [], after: [] }, ...others] = steps.filter(({ after }) => after.length > 0);
  return [{ ...first, before: [...empty, ...first.before] }, ...others];
}

function comesOrGoes({ before, after, from }: FileChange): boolean {
  return before === undefined || after === undefined || from !== undefined;
}

export interface FilesToCompare {
  readonly before: readonly WorkspacePath[];
  readonly after: readonly WorkspacePath[];
}

/**
 * A created file has no baseline, a deleted one is measured only before; a renamed one is measured under each name. What the
 * server says of a file outside all projects is no baseline either.
 */
function filesToCompare(
  { changes, exists }: ComparisonBase,
  reached: readonly WorkspacePath[],
  { entering, leaving }: Reach,
): FilesToCompare {
  const before = new Set<WorkspacePath>();
  const after = new Set<WorkspacePath>();
  for (const change of changes) {
    if (change.before !== undefined) before.add(change.from ?? change.path);
    if (change.after !== undefined) after.add(change.path);
  }
  const gone = new Set(changes.flatMap(({ path, from, after: now }) => [from, now ? undefined : path]));
  const touched = new Set(changes.map(({ path }) => path));
  for (const path of reached) {
    if (touched.has(path) || gone.has(path) || !exists(path)) continue;
    before.add(path);
    if (!leaving?.has(path)) after.add(path);
  }
  return { before: [...before].filter((path) => !entering?.has(path)), after: [...after] };
}

export interface CheckedOnly {
  readonly files: FilesToCompare;
  /** Changed files that are checked on neither side. */
  readonly unchecked: readonly WorkspacePath[];
  readonly projectDoubt: string | undefined;
}

/** A file counts on a side only if the project checks it there: a file that enters a project introduces its errors. */
function checkedOnly(
  { before, after }: FilesToCompare,
  changes: readonly FileChange[],
  checked: { readonly before: CheckedFiles; readonly after: CheckedFiles },
): CheckedOnly {
  const isUnchecked = ({ path, from }: FileChange) =>
    !checked.after.has(path) && !checked.before.has(from ?? path);
  return {
    files: {
      before: before.filter((path) => checked.before.has(path)),
      after: after.filter((path) => checked.after.has(path)),
    },
    unchecked: changes.filter(isUnchecked).map(({ path }) => path),
    projectDoubt: checked.after.doubt ?? checked.before.doubt,
  };
}

/** The files that a change can affect, by the files after it and by the base that it is compared with. */
async function reachOf(
  live: LiveWorkspace,
  {
    overlay,
    against,
    plan,
  }: { readonly overlay: Overlay; readonly against: Against; readonly plan: ProjectionPlan },
  signal: AbortSignal,
): Promise<Reach> {
  const change = { overlay, beneath: overlayBeneath(overlay, against) };
  // The changed files are checked whatever the reach is. A baseline that is not known needs the server first.
  if (change.beneath === undefined && live.baselines.isKnown(plan, plan.effect.keys()))
    await showAhead(live.servers.pools, plan, signal);
  const proved = await live.reach.proved(change, plan, signal);
  if (proved && proved.condition === undefined) return proved;
  const base = await comparisonBaseOf(live, { overlay, against }, () => true);
  const sides = [{ ...plan, effect: relevant(plan, base.shown) }, plan];
  const moved = await movedOnEach(live, { base, sides, plan }, signal);
  if (proved && moved === 'none') return proved;
  const known = await live.reach.of(change, plan, signal);
  // Before a first commit there is no file and no project, and no server has an answer about none.
  const asked = known.files.some(base.exists) ? sides : [plan];
  const reach = await withLibraries(live, known, asked, signal);
  if (reach.isOpenToMembers) return withMembers(live, reach, asked, signal);
  if (!reach.complete || moved === 'none') return reach;
  if (moved === 'unknown') return { ...reach, complete: false, why: movesUnknown };
  const passing = new Set<string>(base.changes.filter(comesOrGoes).flatMap(pathsOf));
  const others = moved.all.filter((file) => !passing.has(file));
  const effects = sides.map(({ effect }) => effect);
  const unseen = movedUnseen(live.workspace, others, effects);
  if (!unseen) return withMembers(live, { ...reach, complete: false, why: movesSeen }, asked, signal);
  const { entering, leaving } = moved;
  return { ...reach, entering, leaving, files: [...new Set([...reach.files, ...unseen])].sort(comparePaths) };
}

const movesUnknown = 'which files its imports take into a project could not be asked';
const movesSeen = 'its imports take files into a project, or out of it, that other files can see';

function pathsOf({ path, from }: FileChange): readonly WorkspacePath[] {
  return from === undefined ? [path] : [path, from];
}

/** The files that the change takes into programs or out of them, as far as the server reports. */
async function movedOnEach(
  live: LiveWorkspace,
  {
    base: { changes },
    sides,
    plan,
  }: {
    readonly base: ComparisonBase;
    readonly sides: readonly ProjectionPlan[];
    readonly plan: ProjectionPlan;
  },
  signal: AbortSignal,
): Promise<ReturnType<typeof movedFiles> | 'none' | 'unknown'> {
  if (plan.located.definition.reach !== 'ecmascript' || !mayMoveFiles(changes)) return 'none';
  const lists = await onEach(live, sides, (projects) => projects.programFiles(signal), signal);
  const [before, after] = lists ?? [];
  if (!before || !after) return 'unknown';
  const moved = movedFiles(before, after);
  const passing = new Set<string>(changes.filter(comesOrGoes).flatMap(pathsOf));
  return moved.all.every((file) => passing.has(file)) ? 'none' : moved;
}

/**
 * Completed with every file that a project contains on either side, if the server knows them and reports the same outside
 * the workspace. `sides` has one element if there is no project before the change.
 */
async function withMembers(
  live: LiveWorkspace,
  reach: Reach,
  sides: readonly ProjectionPlan[],
  signal: AbortSignal,
): Promise<Reach> {
  const projects = await onEach(live, sides, async ({ held, elsewhere }) => ({ held, elsewhere }), signal);
  if (!projects) return reach;
  const isFirst = sides.length === 1;
  const shown = isFirst ? [...projects, noProjects] : projects;
  const configs = [...new Set(shown.flatMap(({ elsewhere }) => [...elsewhere.keys()]))];
  const altered = configs.filter(
    (config) => new Set(shown.map(({ elsewhere }) => elsewhere.get(config))).size > 1,
  );
  if (altered.length > 0) {
    const outside = await onEach(live, sides, (each) => each.problemsElsewhere(altered, signal), signal);
    if (new Set(isFirst ? [...(outside ?? []), ''] : outside).size !== 1) return reach;
  }
  const held = shown.map((each) => new Set<WorkspacePath>(each.held));
  const files = new Set([...reach.files, ...held.flatMap((paths) => [...paths])]);
  const [before, after] = isFirst ? [held[1], held[0]] : held;
  return {
    files: [...files].sort(comparePaths),
    complete: true,
    entering: new Set([...(after ?? [])].filter((path) => !before?.has(path))),
    leaving: new Set([...(before ?? [])].filter((path) => !after?.has(path))),
  };
}

/** Completed with the files of libraries that a compiler checks too, if the change is visible in every file. */
async function withLibraries(
  live: LiveWorkspace,
  reach: Reach,
  sides: readonly ProjectionPlan[],
  signal: AbortSignal,
): Promise<Reach> {
  const hasProjects = sides.some(({ located }) => located.definition.projects !== undefined);
  if (!hasProjects || reach.why === undefined || reach.isOpenToMembers) return reach;
  const libraries = await onEach(live, sides, async (projects) => projects.checkedLibraries, signal);
  if (libraries === undefined || libraries.every(({ length }) => length === 0)) return reach;
  return { ...reach, files: [...new Set([...reach.files, ...libraries.flat()])].sort(comparePaths) };
}

const noProjects: Pick<ShownProjects, 'held' | 'elsewhere'> = { held: [], elsewhere: new Map() };

/** What the projects of each overlay answer; undefined if a server has none to ask. */
async function onEach<T>(
  live: LiveWorkspace,
  sides: readonly ProjectionPlan[],
  ask: (projects: ShownProjects) => Promise<T>,
  signal: AbortSignal,
): Promise<readonly T[] | undefined> {
  const answers: T[] = [];
  for (const plan of sides) {
    await using lease = await live.servers.lease(plan, signal);
    const projects = await lease.projects?.current(signal);
    if (projects === undefined) return undefined;
    answers.push(await ask(projects));
  }
  return answers;
}

/** The part of an effect that affects the server, as for an overlay. */
export function relevant({ located }: ProjectionPlan, shown: OverlayEffect): OverlayEffect {
  return new Map([...shown].filter(([path]) => isShownTo(located.definition, path)));
}
