/**
 * All reasons to doubt one measurement.
 *
 * Invariant: the sentences are listed in a fixed order; their kind decides how far they lower the confidence.
 */
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { ProjectionPlan } from '../live/projection-plan.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { blindSpot } from '../servers/blind-spot.ts';
import { isImportedAsData } from '../servers/file-relevance.ts';
import type { Lease } from '../servers/lease.ts';
import type { Scope } from '../servers/projection-mode.ts';
import type { FileDiagnostics, Proof } from '../servers/proof.ts';
import { uncheckedParts } from '../servers/rust/unchecked-change.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { Comparison } from './comparison.ts';
import {
  type Doubt,
  doubtsOfAnswers,
  doubtsOfBaseline,
  doubtsOfCut,
  doubtsOfDisturbance,
  doubtsOfProof,
  doubtsOfReach,
  doubtsOfScope,
  standingDoubt,
} from './confidence.ts';
import { doubtsOfFlags, doubtsOfOutputs, isHalfChecked, uncheckedByProjects } from './unchecked-change.ts';

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
