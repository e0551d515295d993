/**
 * All reasons to doubt one measurement.
 *
 * Invariants: the sentences are listed in a fixed order; their kind decides how far they lower the confidence. A part
 * of a change that no project, build or compiler reads is always reported. A library that is not installed leaves no
 * doubt only if nothing compared can depend on it: no evaluated file imports one or names what depends on one, or the
 * change alters nothing that a compiler reads.
 */

import { existsSync } from 'node:fs';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { ProjectionPlan } from '../live/projection-plan.ts';
import type { FileChange, Overlay } from '../overlay/overlay.ts';
import { compilationDoubts, isUnit, shownTextReader } from '../servers/c/compilation-database.ts';
import { isImportedAsData, serves } from '../servers/file-relevance.ts';
import type { Lease } from '../servers/lease.ts';
import {
  type IsInWorkspace,
  missingLibraries,
  missingLibraryDoubt,
  unbuiltLibraries,
} from '../servers/missing-library.ts';
import { noEffect, type Scope } from '../servers/projection.ts';
import { type FileDiagnostics, isProved, type Proof } from '../servers/proof.ts';
import { uncheckedParts } from '../servers/rust/unchecked-change.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import type { ServerRegister } from '../servers/server-register.ts';
import { standardModules } from '../servers/standard-library.ts';
import { realPathOf } from '../workspace/real-path.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { CheckedOnly, Comparison } from './comparison.ts';
import {
  type Doubt,
  doubtsOfAnswers,
  doubtsOfBaseline,
  doubtsOfCut,
  doubtsOfDisturbance,
  doubtsOfProof,
  doubtsOfReach,
  doubtsOfScope,
  type Finding,
  listed,
  standingDoubt,
} from './evaluation.ts';

/** Both sides as measured by one server. */
interface Measurement {
  readonly plan: ProjectionPlan;
  readonly touched: readonly WorkspacePath[];
  readonly comparison: Comparison;
  readonly before: readonly FileDiagnostics[];
  readonly after: readonly FileDiagnostics[];
  readonly introduced: readonly Finding[];
  /** A sentence about libraries that are not installed. */
  readonly missing: string | undefined;
  /** Sentences about errors that others may hide. */
  readonly hidden: readonly string[];
  /** The disk epoch before the first request. */
  readonly epoch: number;
  readonly lease: Lease;
}

interface MeasuredOverlay {
  readonly overlay: Overlay;
  readonly scope: Scope;
}

export async function doubtsOfMeasurement(
  live: LiveWorkspace,
  { overlay, scope }: MeasuredOverlay,
  measurement: Measurement,
  signal: AbortSignal,
): Promise<readonly Doubt[]> {
  const { plan, touched, comparison, before, after, lease, epoch } = measurement;
  const { definition } = plan.located;
  // If the compiler answered, or was stopped, it does not matter whether the server is busy.
  const isCompilers = after.every(({ proof }) => proof.kind === 'checked' || isStopped(proof));
  const unlooked = await uncheckedSentences(live, { overlay, scope }, measurement, signal);
  const unseen = blindSpot(definition, live.servers.register);
  return [
    ...doubtsOfProof([...before, ...after]),
    ...(scope === 'workspace' ? doubtsOfReach(comparison.reach) : []),
    ...standingDoubt(live.isDiskStateUnknown, 'disk-unwatched'),
    ...doubtsOfAnswers(after),
    ...doubtsOfDisturbance(comparison.base.disturbed),
    ...doubtsOfScope(scope === 'file' ? touched.filter((path) => isImportedAsData(definition, path)) : []),
    ...unlooked.map((sentence): Doubt => ({ kind: 'unchecked', sentence })),
    ...doubtsOfCut(after),
    ...standingDoubt(live.disk.epoch !== epoch, 'disk-moved'),
    ...standingDoubt(!isCompilers && isBusy(lease, plan), 'server-busy'),
    ...(unseen === undefined ? [] : [{ kind: 'blind-spot', sentence: unseen } as const]),
    ...standingDoubt(isHalfChecked(plan, after), 'half-checked'),
    ...doubtsOfBaseline(before),
  ];
}

/** The parts of the change that no answer covers. */
async function uncheckedSentences(
  live: LiveWorkspace,
  { overlay, scope }: MeasuredOverlay,
  { plan, touched, comparison, before, after, introduced, missing, hidden, lease }: Measurement,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { definition } = plan.located;
  const { changes, reach, files } = comparison;
  const readText = async (path: string): Promise<string | undefined> => {
    const content = await overlay.read(live.workspace.path(path));
    return content?.kind === 'text' ? content.text : undefined;
  };
  return [
    ...uncheckedByProjects(live.workspace, comparison, { touched, after }),
    ...doubtsBesideBuilds({ before, after, introduced }),
    ...(missing === undefined ? [] : [missing]),
    ...hidden,
    ...(definition.fullCheck?.output === 'cargo-json'
      ? await uncheckedParts(changes, { before, after, readText })
      : []),
    ...(definition.compilation !== undefined
      ? await doubtsOfFlags(live, { overlay, plan, touched, reached: files.after }, signal)
      : []),
    ...(scope === 'workspace' && !reach.isUnseen ? await doubtsOfReaders(live, lease, touched, signal) : []),
    ...(await doubtsOfProjects(lease, comparison, signal)),
  ];
}

function isStopped(proof: Proof): boolean {
  return proof.kind === 'none' && proof.reason === 'failed';
}

function isBusy(lease: Lease, { located }: ProjectionPlan): boolean {
  return located.definition.quirks.readiness !== 'immediate' && lease.server.progress.isBusy;
}

/** The changed paths, each with all names of its file among them: the real one first. */
function namesOfFiles(
  workspace: Workspace,
  touched: readonly WorkspacePath[],
): ReadonlyMap<WorkspacePath, readonly WorkspacePath[]> {
  const byFile = new Map<string, WorkspacePath[]>();
  for (const path of touched) {
    const absolute = workspace.absolute(path);
    const real = realPathOf(absolute);
    const names = byFile.get(real) ?? [];
    byFile.set(real, real === absolute ? [path, ...names] : [...names, path]);
  }
  return new Map([...byFile.values()].flatMap((names) => names.map((name) => [name, names])));
}

/** Files that no project checks, by its configuration or by the server's report of its projects. */
function uncheckedByProjects(
  workspace: Workspace,
  { unchecked, projectDoubt }: Pick<CheckedOnly, 'unchecked' | 'projectDoubt'>,
  { touched, after }: Pick<Measurement, 'touched' | 'after'>,
): readonly string[] {
  const unowned = after.filter(({ path, isUnowned }) => isUnowned && touched.includes(path));
  const left = new Set([...unchecked, ...unowned.map(({ path }) => path)]);
  const sameFile = left.size > 0 && touched.length > 1 ? namesOfFiles(workspace, touched) : undefined;
  const isReported = (path: WorkspacePath): boolean => {
    const names = sameFile?.get(path) ?? [path];
    // One name that is checked is enough; otherwise the first one stands for all.
    return names[0] === path && names.every((name) => left.has(name));
  };
  const reported = unowned.filter(({ path }) => isReported(path));
  const paths = [
    ...new Set([
      ...unchecked.filter(isReported),
      ...reported.flatMap(({ path, unownedBecause }) => (unownedBecause === undefined ? [path] : [])),
    ]),
  ];
  return [
    ...reported.flatMap(({ path, unownedBecause: why }) =>
      why === undefined ? [] : [`No build here checks ${path}: ${why}.`],
    ),
    ...(paths.length > 0 ? [`No project checks ${listed(paths)}.`] : []),
    ...(projectDoubt === undefined ? [] : [projectDoubt]),
  ];
}

/** Errors that only a command shows which names their package, and such packages that compiled only before the change. */
function doubtsBesideBuilds({
  before,
  after,
  introduced,
}: Pick<Measurement, 'before' | 'after' | 'introduced'>): readonly string[] {
  const errors = introduced.filter(({ diagnostic }) => diagnostic.severity === 'error');
  const found = new Set(errors.map(({ path }) => path));
  const compiled = new Set(before.flatMap(({ path, isBesideBuilds }) => (isBesideBuilds ? [path] : [])));
  const beside = after.filter(({ path, isBesideBuilds, isUnowned }) =>
    isBesideBuilds ? found.has(path) : isUnowned && compiled.has(path),
  );
  const files = listed(beside.map(({ path }) => path));
  return beside.length === 0
    ? []
    : [`Builds of all packages leave out ${files}; it compiles, or fails, when it is named.`];
}

/** Projects that read build output of the changed files see the change only after the next build, and others by a link. */
async function doubtsOfReaders(
  { disk, workspace }: LiveWorkspace,
  { projects }: Lease,
  touched: readonly WorkspacePath[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const count = projects ? await projects.count(signal) : 0;
  if (!projects || count === 0) return [];
  // The only project reads no output of another one. Whether it keeps links is rarely worth a list of its files.
  const config = count === 1 ? await disk.text(workspace.path('tsconfig.json')) : undefined;
  if (count === 1 && config?.includes('preserveSymlinks') !== true) return [];
  const shown = await projects.current(signal);
  const sentences = [...new Set(touched.flatMap((path) => shown?.otherReaders(path) ?? []))];
  // Some workspaces have a hundred projects over the same outputs.
  const others = sentences.length - readersNamed;
  return others > 0 ? [...sentences.slice(0, readersNamed), `${others} more do so too.`] : sentences;
}

const readersNamed = 5;

/**
 * A server whose projects cannot be opened one by one reports no errors of a project as a whole, and of a file that several
 * contain those of one.
 */
async function doubtsOfProjects(
  { projects }: Lease,
  { withConfigs }: Comparison,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!projects?.isUnavailable) return [];
  const count = await projects.count(signal);
  const isEnough = count === 0 || (count === 1 && !withConfigs);
  return isEnough ? [] : ['The server could not be asked about its projects one by one.'];
}

/** For files compiled with flags from elsewhere: which flags are unknown. */
async function doubtsOfFlags(
  live: LiveWorkspace,
  subject: {
    readonly overlay: Overlay;
    readonly plan: ProjectionPlan;
    readonly touched: readonly WorkspacePath[];
    readonly reached: readonly WorkspacePath[];
  },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { overlay, plan, touched, reached } = subject;
  const { definition } = plan.located;
  const files = touched.filter((path) => serves(definition, path) && plan.effect.get(path) !== 'removed');
  if (files.length === 0) return [];
  // In file scope the files that include a header were not checked, but must exist.
  const units = files.every(isUnit) ? reached : (await live.reach.of({ overlay }, plan, signal)).files;
  return compilationDoubts(
    { touched: files.map(absolute), units: units.map(absolute) },
    shownTextReader(plan.effect, (path) => live.workspace.absolute(path)),
  );
  function absolute(path: WorkspacePath): string {
    return live.workspace.absolute(path);
  }
}

/** Whether a server answered where the compiler should have: for files that must be mounted, or for every change. */
function isHalfChecked(
  { located: { definition }, mode }: ProjectionPlan,
  after: readonly FileDiagnostics[],
): boolean {
  if (definition.fullCheck === undefined) return false;
  if (definition.fullCheck.speaks === 'in-workspace-scope')
    return !after.every(({ proof }) => proof.kind === 'checked');
  return mode === 'mounted' && after.some(({ proof }) => isProved(proof) && proof.kind !== 'checked');
}

function blindSpot({ name, checker }: ServerDefinition, register: ServerRegister): string | undefined {
  if (checker === undefined) return undefined;
  if (checker.kind === 'none') return `${name} does not check ${checker.blindTo}.`;
  if (register.hasOnPath(checker.name)) return undefined;
  return `${name} finds errors by ${checker.name}, which is not installed: ${checker.installHint}.`;
}

/**
 * Diagnostics of the files that the evaluated ones import, if they may miss a library. Requested before the change is
 * shown, since the server that shows it cannot show the disk at the same time.
 */
export async function answersBehind(
  live: LiveWorkspace,
  plan: ProjectionPlan,
  { changes, files, timeoutMs }: LibraryQuestion,
  signal: AbortSignal,
): Promise<readonly FileDiagnostics[]> {
  const { definition } = plan.located;
  if (definition.reach !== 'python' || files.length === 0) return [];
  const { reach, disk } = live;
  if (await reach.keepTokens(definition, changes)) return [];
  const imported = await reach.importedBy(definition, files, changes, signal);
  const standard = standardModules();
  const open = [...imported]
    .filter(([path, names]) => disk.exists(path) && names.some((name) => !standard.has(name)))
    .map(([path]) => path)
    .filter((path) => !files.includes(path));
  const known = (): readonly FileDiagnostics[] =>
    open.flatMap((path) => reach.libraries.get(definition.name, path) ?? []);
  const unknown = open.filter((path) => reach.libraries.get(definition.name, path) === undefined);
  if (unknown.length > 0) {
    const { epoch } = disk;
    const asked = await live.baselines.diagnostics(
      { ...plan, effect: noEffect },
      unknown,
      { timeoutMs },
      signal,
    );
    const answers = asked.filter(({ proof }) => isProved(proof));
    // A change on disk forgets what is noted; what was asked before it must not be noted after it.
    if (disk.epoch !== epoch) return [...known(), ...answers];
    reach.libraries.keep(definition.name, answers);
  }
  return known();
}

interface LibraryQuestion {
  readonly changes: readonly FileChange[];
  readonly files: readonly WorkspacePath[];
  readonly timeoutMs: number;
}

export interface Compared {
  readonly changes: readonly FileChange[];
  readonly before: readonly FileDiagnostics[];
  readonly after: readonly FileDiagnostics[];
  readonly introduced: readonly Finding[];
  /** Diagnostics of files that the evaluated ones import. */
  readonly behind: readonly FileDiagnostics[];
}

export async function doubtOfMissingLibraries(
  { workspace, reach }: Pick<LiveWorkspace, 'workspace' | 'reach'>,
  definition: ServerDefinition,
  compared: Compared,
  signal: AbortSignal,
): Promise<string | undefined> {
  const family = definition.reach;
  const { changes, before, after, introduced, behind } = compared;
  const touched = new Set(changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])));
  const isInWorkspace: IsInWorkspace = (path) =>
    [...touched].some((each) => each === path || each.startsWith(`${path}/`)) ||
    existsSync(workspace.absolute(path));
  // A library missing before the change but not after it can only have hidden errors that now appear as introduced.
  const apart = new Set(after.flatMap(({ path, isApart }) => (isApart ? [path] : [])));
  const past = introduced.length > 0 ? before.filter(({ path }) => !apart.has(path)) : [];
  const named = [...past, ...notCaused(compared, touched)];
  const names = missingLibraries(family, [...named, ...behind], isInWorkspace);
  // Last, because the texts must be parsed for it, and usually nothing is missing.
  if (names.length === 0 || (await reach.keepTokens(definition, changes))) return undefined;
  const own = missingLibraries(family, named, isInWorkspace);
  const paths = [...new Set([...before, ...after].map(({ path }) => path))];
  const missing = new Map(
    behind.map((answer) => [answer.path, missingLibraries(family, [answer], isInWorkspace)]),
  );
  const isSeen =
    own.length > 0 || (await reach.seesLibraries(definition, { paths, changes, missing }, signal));
  if (!isSeen) return undefined;
  const unbuilt = unbuiltLibraries(family, [...named, ...behind], isInWorkspace);
  return missingLibraryDoubt(family, names, { isInWorkspace, unbuilt });
}

/** A module that an unchanged file no longer finds was removed by the change: that is a result, not a doubt. */
function notCaused(
  { after, introduced }: Compared,
  touched: ReadonlySet<WorkspacePath>,
): readonly FileDiagnostics[] {
  const caused = new Set(
    introduced.filter(({ path }) => !touched.has(path)).map(({ diagnostic }) => diagnostic),
  );
  return after.map((answer) => ({
    ...answer,
    diagnostics: answer.diagnostics.filter((diagnostic) => !caused.has(diagnostic)),
  }));
}
