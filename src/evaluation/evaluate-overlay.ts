/**
 * Measures what an overlay, or its uppermost layer, does to the diagnostics of its workspace.
 *
 * Invariant: the files compared are exactly `evaluatedFiles`, both sides were measured by the same server
 * shown in the same way, and every reason to doubt the outcome is named in it.
 */

import type { Reach } from '../graph/reach/reach-graph.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { ProjectionPlan } from '../live/projection-plan.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { blindSpot } from '../servers/blind-spot.ts';
import { checkedManifests } from '../servers/checked-manifest.ts';
import { ServerNotConfined } from '../servers/confinement-need.ts';
import { isAnsweredFor, isImportedAsData } from '../servers/file-relevance.ts';
import type { LanguageId } from '../servers/language.ts';
import type { Lease } from '../servers/lease.ts';
import { checkedFiles } from '../servers/project/checked-files.ts';
import type { Scope } from '../servers/projection-mode.ts';
import type { FileDiagnostics, Proof } from '../servers/proof.ts';
import { uncheckedParts } from '../servers/rust/unchecked-change.ts';
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';
import { reachOf, relevant } from './change-reach.ts';
import { checkedOnly, filesToCompare } from './compared-files.ts';
import { type Against, changesAgainst, comparisonBaseOf } from './comparison-base.ts';
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
  trustIn,
} from './confidence.ts';
import { compareDiagnostics } from './diagnostic-comparison.ts';
import { emptyEvaluation } from './empty-evaluation.ts';
import type { Evaluation, Finding } from './evaluation.ts';
import { ServerStarting } from './evaluation-failure.ts';
import { leaseInTime } from './lease-in-time.ts';
import { answersBehind, doubtOfMissingLibraries } from './missing-library-doubt.ts';
import { doubtsOfFlags, doubtsOfOutputs, isHalfChecked, uncheckedByProjects } from './unchecked-change.ts';

/** What one server is asked. */
export interface ServerRequest {
  readonly overlay: Overlay;
  readonly language: LanguageId;
  readonly scope: Scope;
  readonly timeoutMs: number;
  /** How long a server may take to be ready before the answer is given without it; absent: as long as it takes. */
  readonly startTimeoutMs?: number | undefined;
  /** What it is compared with; absent: the disk. */
  readonly against?: Against;
}

/** In file scope nobody asks what else is reached. */
const unasked: Reach = { files: [], complete: true };

/** A baseline is allowed at least this long, whatever the caller grants the evaluation itself. */
const baselineTimeoutMs = 3000;

export async function evaluateOverlay(
  live: LiveWorkspace,
  request: ServerRequest,
  signal: AbortSignal,
): Promise<Evaluation> {
  const startedAt = performance.now();
  const { overlay, language, scope, against = 'disk' } = request;
  const plan = await live.servers.planProjection(overlay, { language, scope }, signal);
  const touched = (await changesAgainst(overlay, against)).map(({ path }) => path);
  try {
    return {
      ...(await measure(live, request, { plan, touched }, signal)),
      durationMs: since(startedAt),
    };
  } catch (thrown) {
    if (thrown instanceof ServerNotConfined) {
      const { message, remedy } = thrown;
      const refused = { ...nothingKnown(request, plan), confinement: { kind: 'refused' } } as const;
      const doubts = [`${message}. ${remedy}`];
      return { ...refused, confidence: 'low', doubts, evaluatedFiles: touched, durationMs: since(startedAt) };
    }
    if (!(thrown instanceof ServerStarting)) throw thrown;
    return {
      ...nothingKnown(request, plan),
      timedOut: true,
      doubts: [`${thrown.message}. ${thrown.remedy}`],
      durationMs: since(startedAt),
    };
  }
}

/** What is known where no server was asked. */
function nothingKnown({ scope }: ServerRequest, plan: ProjectionPlan): Evaluation {
  const { located, mode } = plan;
  return { ...emptyEvaluation(scope, located.definition.name), settle: settleOf(plan, []), way: mode };
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}

interface Subject {
  readonly plan: ProjectionPlan;
  readonly touched: readonly WorkspacePath[];
}

async function measure(
  live: LiveWorkspace,
  request: ServerRequest,
  { plan, touched }: Subject,
  signal: AbortSignal,
): Promise<Omit<Evaluation, 'durationMs'>> {
  const { overlay, scope, timeoutMs, against = 'disk' } = request;
  const { definition } = plan.located;
  const reach = scope === 'workspace' ? await reachOf(live, { overlay, against, plan }, signal) : unasked;
  const comparisonBase = await comparisonBaseOf(live, { overlay, against }, (path) =>
    isAnsweredFor(definition, path),
  );
  const { changes } = comparisonBase;
  const near = scope === 'workspace' ? comparisonBase.beneath : [];
  const manifests =
    plan.mode === 'mounted'
      ? await checkedManifests(definition, touched, {
          path: (text) => live.workspace.path(text),
          exists: comparisonBase.exists,
        })
      : [];
  const { files, unchecked, projectDoubt } = checkedOnly(
    filesToCompare(comparisonBase, [...reach.files, ...near, ...manifests]),
    changes,
    {
      before: checkedFiles(definition, live.workspace, comparisonBase.shown),
      after: checkedFiles(definition, live.workspace, plan.effect),
    },
  );
  // What is wrong with a project as a whole is told with its configuration, and only these changes can alter it.
  const withConfigs =
    scope === 'workspace' &&
    (touched.some((path) => isImportedAsData(definition, path)) ||
      changes.some(
        ({ before, after, from }) => before === undefined || after === undefined || from !== undefined,
      ));
  const epoch = live.disk.epoch;
  const past = { ...plan, effect: relevant(plan, comparisonBase.shown) };
  const hintsFor = new Set(changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])));
  const baselineMs = Math.max(baselineTimeoutMs, timeoutMs);
  const patience = { name: definition.name, startTimeoutMs: request.startTimeoutMs };
  const before = await leaseInTime(
    patience,
    (whileLeasing) =>
      live.baselines.diagnostics(
        past,
        files.before,
        { timeoutMs: baselineMs, withConfigs, heldOnly: true, hintsFor, whileLeasing },
        signal,
      ),
    signal,
  );
  const behind = await answersBehind(live, plan, { changes, files: files.after, timeoutMs }, signal);
  await using lease = await leaseInTime(
    patience,
    (whileLeasing) => live.servers.lease(plan, whileLeasing),
    signal,
  );
  const after = await lease.diagnostics(
    files.after,
    { timeoutMs, withConfigs, heldOnly: true, hintsFor, sameFiles: reach.keepsFiles === true },
    signal,
  );
  const findings = compareDiagnostics(changes, before, after, definition.stopsAt);
  const netDelta = findings.introduced.length - findings.resolved.length;
  // Where the compiler spoke, or was stopped, it does not matter what the server is busy with.
  const isCompilers = after.every(({ proof }) => proof.kind === 'checked' || isStopped(proof));
  const readText = async (path: string): Promise<string | undefined> => {
    const content = await overlay.read(live.workspace.path(path));
    return content?.kind === 'text' ? content.text : undefined;
  };
  const compared = { changes, before, after, introduced: findings.introduced, behind };
  const missing = await doubtOfMissingLibraries(live, definition, compared);
  // The sentences are listed in this order; how far they lower the confidence is decided by their kind.
  const unlooked = [
    ...uncheckedByProjects({ unchecked, projectDoubt }, touched, after),
    ...(missing === undefined ? [] : [missing]),
    ...(await uncheckedParts(changes, { before, after, readText })),
    ...(await doubtsOfFlags(live, { overlay, plan, touched, reached: files.after }, signal)),
    ...(scope === 'workspace' && !reach.isUnseen ? await doubtsOfOutputs(lease, touched, signal) : []),
  ];
  const unseen = blindSpot(definition, live.servers.register);
  const doubts: readonly Doubt[] = [
    ...doubtsOfProof([...before, ...after]),
    ...(scope === 'workspace' ? doubtsOfReach(reach) : []),
    ...standingDoubt(live.isDiskStateUnknown, 'disk-unwatched'),
    ...doubtsOfAnswers(after),
    ...doubtsOfDisturbance(comparisonBase.disturbed),
    ...doubtsOfScope(scope === 'file' ? touched.filter((path) => isImportedAsData(definition, path)) : []),
    ...unlooked.map((sentence): Doubt => ({ kind: 'unchecked', sentence })),
    ...doubtsOfCut(after),
    ...standingDoubt(live.disk.epoch !== epoch, 'disk-moved'),
    ...standingDoubt(!isCompilers && isBusy(lease, plan), 'server-busy'),
    ...(unseen === undefined ? [] : [{ kind: 'blind-spot', sentence: unseen } as const]),
    ...standingDoubt(isHalfChecked(plan, after), 'half-checked'),
    ...doubtsOfBaseline(before),
  ];
  const errors = findings.introduced.some(({ diagnostic }) => diagnostic.severity === 'error');
  const known = scope === 'file' ? await live.reach.ifFresh(overlay, plan) : undefined;
  const looked = new Set([...files.before, ...files.after]);
  return {
    scope,
    ...findings,
    netDelta,
    errorsDelta: delta(findings, 'error'),
    warningsDelta: delta(findings, 'warning'),
    ...trustIn(doubts, errors ? 'introduced' : 'none'),
    timedOut: after.some(({ proof }) => proof.kind === 'none' && proof.reason === 'timeout'),
    server: { name: plan.located.definition.name, ...lease.server.info },
    settle: settleOf(plan, after),
    way: lease.mode,
    confinement: lease.confinement,
    evaluatedFiles: [...looked].sort(comparePaths),
    ...(known && { dependentsNotChecked: known.files.filter((path) => !looked.has(path)).length }),
  };
}

function delta(
  findings: { introduced: readonly Finding[]; resolved: readonly Finding[] },
  severity: 'error' | 'warning',
): number {
  const count = (list: readonly Finding[]) =>
    list.filter(({ diagnostic }) => diagnostic.severity === severity).length;
  return count(findings.introduced) - count(findings.resolved);
}

function isStopped(proof: Proof): boolean {
  return proof.kind === 'none' && proof.reason === 'failed';
}

function isBusy(lease: Lease, { located }: ProjectionPlan): boolean {
  return located.definition.quirks.readiness !== 'immediate' && lease.server.progress.isBusy;
}

function settleOf({ located }: ProjectionPlan, after: readonly FileDiagnostics[]): Evaluation['settle'] {
  const { settle } = located.definition;
  if (settle.mode === 'offered') {
    const isPulled = after.some(({ proof }) => proof.kind === 'pulled');
    return isPulled ? { mode: 'pull' } : { mode: 'push', quietMs: settle.quietMs };
  }
  return { mode: settle.mode === 'versioned-push' ? 'push' : settle.mode };
}
