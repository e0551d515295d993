/**
 * All reasons to doubt one measurement.
 *
 * Invariants: the sentences are listed in a fixed order; their kind decides how far they lower the confidence. A part
 * of a change that no project, build or compiler reads is always reported.
 */
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { ProjectionPlan } from '../live/projection-plan.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { compilationDoubts, isUnit, shownTextReader } from '../servers/c/compilation-database.ts';
import { isImportedAsData, serves } from '../servers/file-relevance.ts';
import type { Lease } from '../servers/lease.ts';
import type { Scope } from '../servers/projection-mode.ts';
import { type FileDiagnostics, isProved, type Proof } from '../servers/proof.ts';
import { uncheckedParts } from '../servers/rust/unchecked-change.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import type { ServerRegister } from '../servers/server-register.ts';
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
  listed,
  standingDoubt,
} from './confidence.ts';

/** Both sides as measured by one server. */
interface Measurement {
  readonly plan: ProjectionPlan;
  readonly touched: readonly WorkspacePath[];
  readonly comparison: Comparison;
  readonly before: readonly FileDiagnostics[];
  readonly after: readonly FileDiagnostics[];
  /** A sentence about libraries that are not installed. */
  readonly missing: string | undefined;
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
  { plan, touched, comparison, before, after, missing, lease }: Measurement,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { definition } = plan.located;
  const { changes, reach, files } = comparison;
  const readText = async (path: string): Promise<string | undefined> => {
    const content = await overlay.read(live.workspace.path(path));
    return content?.kind === 'text' ? content.text : undefined;
  };
  return [
    ...uncheckedByProjects(comparison, touched, after),
    ...(missing === undefined ? [] : [missing]),
    ...(definition.fullCheck?.output === 'cargo-json'
      ? await uncheckedParts(changes, { before, after, readText })
      : []),
    ...(definition.compilation !== undefined
      ? await doubtsOfFlags(live, { overlay, plan, touched, reached: files.after }, signal)
      : []),
    ...(scope === 'workspace' && !reach.isUnseen ? await doubtsOfOutputs(lease, touched, signal) : []),
  ];
}

function isStopped(proof: Proof): boolean {
  return proof.kind === 'none' && proof.reason === 'failed';
}

function isBusy(lease: Lease, { located }: ProjectionPlan): boolean {
  return located.definition.quirks.readiness !== 'immediate' && lease.server.progress.isBusy;
}

/** Files that no project checks, by its configuration or by the server's report of its projects. */
function uncheckedByProjects(
  { unchecked, projectDoubt }: Pick<CheckedOnly, 'unchecked' | 'projectDoubt'>,
  touched: readonly WorkspacePath[],
  after: readonly FileDiagnostics[],
): readonly string[] {
  const unowned = after.filter(({ path, isUnowned }) => isUnowned && touched.includes(path));
  const paths = [
    ...new Set([
      ...unchecked,
      ...unowned.flatMap(({ path, unownedBecause }) => (unownedBecause === undefined ? [path] : [])),
    ]),
  ];
  return [
    ...unowned.flatMap(({ path, unownedBecause: why }) =>
      why === undefined ? [] : [`No build here checks ${path}: ${why}.`],
    ),
    ...(paths.length > 0 ? [`No project checks ${listed(paths)}.`] : []),
    ...(projectDoubt === undefined ? [] : [projectDoubt]),
  ];
}

/** Projects that read build output of the changed files see the change only after the next build. */
async function doubtsOfOutputs(
  lease: Lease,
  touched: readonly WorkspacePath[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { projects } = lease;
  if (!projects || (await projects.count(signal)) < 2) return [];
  const shown = await projects.current(signal);
  const readers = new Set(touched.flatMap((path) => shown?.outputReaders(path) ?? []));
  return [...readers].map((phrase) => `${phrase}; what the change does there shows after a build.`);
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
  if (definition.fullCheck?.speaks === 'in-workspace-scope')
    return !after.every(({ proof }) => proof.kind === 'checked');
  const isServers = after.some(({ proof }) => isProved(proof) && proof.kind !== 'checked');
  return definition.fullCheck !== undefined && mode === 'mounted' && isServers;
}

function blindSpot({ name, checker }: ServerDefinition, register: ServerRegister): string | undefined {
  if (checker === undefined) return undefined;
  if (checker.kind === 'none') return `${name} does not check ${checker.blindTo}.`;
  if (register.hasOnPath(checker.name)) return undefined;
  return `${name} finds errors by ${checker.name}, which is not installed: ${checker.installHint}.`;
}
