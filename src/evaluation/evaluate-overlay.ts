/**
 * Measures what an overlay, or its uppermost layer, does to the diagnostics of its workspace.
 *
 * Invariant: the files compared are exactly `evaluatedFiles`, both sides were measured by the same server
 * shown in the same way, and every reason to doubt the outcome is named in it.
 */

import type { Reach } from '../graph/reach/reach-graph.ts';
import type { Executor, Showing } from '../live/executor.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { blindSpot } from '../servers/blind-spot.ts';
import { checkedManifests } from '../servers/checked-manifest.ts';
import { ServerNotConfined } from '../servers/confinement-need.ts';
import { isAnsweredFor, readsAsData } from '../servers/file-bearing.ts';
import type { LanguageId } from '../servers/language.ts';
import type { Lease } from '../servers/lease.ts';
import { checkedFiles } from '../servers/project/checked-files.ts';
import type { FileDiagnostics, Proof } from '../servers/proof.ts';
import { uncheckedParts } from '../servers/rust/unchecked-change.ts';
import type { Scope } from '../servers/way.ts';
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';
import { bearing, reachOf } from './change-reach.ts';
import { checkedOnly, filesToCompare } from './compared-files.ts';
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
import { type Against, changesAgainst, groundOf } from './evaluation-ground.ts';
import { leaseInTime } from './lease-in-time.ts';
import { doubtOfMissingLibraries, libraryGround } from './missing-library-doubt.ts';
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
  executor: Executor,
  request: ServerRequest,
  signal: AbortSignal,
): Promise<Evaluation> {
  const startedAt = performance.now();
  const { overlay, language, scope, against = 'disk' } = request;
  const showing = await executor.showing(overlay, { language, scope }, signal);
  const touched = (await changesAgainst(overlay, against)).map(({ path }) => path);
  try {
    return {
      ...(await measure(executor, request, { showing, touched }, signal)),
      durationMs: since(startedAt),
    };
  } catch (thrown) {
    if (thrown instanceof ServerNotConfined) {
      const { message, remedy } = thrown;
      const refused = { ...nothingKnown(request, showing), confinement: { kind: 'refused' } } as const;
      const doubts = [`${message}. ${remedy}`];
      return { ...refused, confidence: 'low', doubts, evaluatedFiles: touched, durationMs: since(startedAt) };
    }
    if (!(thrown instanceof ServerStarting)) throw thrown;
    return {
      ...nothingKnown(request, showing),
      timedOut: true,
      doubts: [`${thrown.message}. ${thrown.remedy}`],
      durationMs: since(startedAt),
    };
  }
}

/** What is known where no server was asked. */
function nothingKnown({ scope }: ServerRequest, showing: Showing): Evaluation {
  const { located, way } = showing;
  return { ...emptyEvaluation(scope, located.definition.name), settle: settleOf(showing, []), way };
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}

interface Subject {
  readonly showing: Showing;
  readonly touched: readonly WorkspacePath[];
}

async function measure(
  executor: Executor,
  request: ServerRequest,
  { showing, touched }: Subject,
  signal: AbortSignal,
): Promise<Omit<Evaluation, 'durationMs'>> {
  const { overlay, scope, timeoutMs, against = 'disk' } = request;
  const { definition } = showing.located;
  const reach =
    scope === 'workspace' ? await reachOf(executor, { overlay, against, showing }, signal) : unasked;
  const ground = await groundOf(executor, { overlay, against }, (path) => isAnsweredFor(definition, path));
  const { changes } = ground;
  const near = scope === 'workspace' ? ground.beneath : [];
  const manifests =
    showing.way === 'mounted'
      ? await checkedManifests(definition, touched, {
          path: (text) => executor.workspace.path(text),
          exists: ground.exists,
        })
      : [];
  const { files, unchecked, projectDoubt } = checkedOnly(
    filesToCompare(ground, [...reach.files, ...near, ...manifests]),
    changes,
    {
      before: checkedFiles(definition, executor.workspace, ground.shown),
      after: checkedFiles(definition, executor.workspace, showing.effect),
    },
  );
  // What is wrong with a project as a whole is told with its configuration, and only these changes can alter it.
  const withConfigs =
    scope === 'workspace' &&
    (touched.some((path) => readsAsData(definition, path)) ||
      changes.some(
        ({ before, after, from }) => before === undefined || after === undefined || from !== undefined,
      ));
  const epoch = executor.disk.epoch;
  const past = { ...showing, effect: bearing(showing, ground.shown) };
  const baselineMs = Math.max(baselineTimeoutMs, timeoutMs);
  const patience = { name: definition.name, startTimeoutMs: request.startTimeoutMs };
  const before = await leaseInTime(
    patience,
    (whileLeasing) =>
      executor.baseline(past, files.before, { timeoutMs: baselineMs, withConfigs, whileLeasing }, signal),
    signal,
  );
  const libraries = await libraryGround(
    executor,
    showing,
    { changes, files: files.after, timeoutMs },
    signal,
  );
  await using lease = await leaseInTime(
    patience,
    (whileLeasing) => executor.leaseShowing(showing, whileLeasing),
    signal,
  );
  const after = await lease.diagnostics(
    files.after,
    { timeoutMs, withConfigs, sameFiles: reach.keepsFiles === true },
    signal,
  );
  const findings = compareDiagnostics(changes, before, after, definition.stopsAt);
  const netDelta = findings.introduced.length - findings.resolved.length;
  // Where the compiler spoke, or was stopped, it does not matter what the server is busy with.
  const isCompilers = after.every(({ proof }) => proof.kind === 'checked' || isStopped(proof));
  const readText = async (path: string): Promise<string | undefined> => {
    const content = await overlay.read(executor.workspace.path(path));
    return content?.kind === 'text' ? content.text : undefined;
  };
  const compared = { changes, before, after, introduced: findings.introduced };
  const missing = doubtOfMissingLibraries(executor, definition.reach, libraries, compared);
  // The sentences are listed in this order; how far they lower the confidence is decided by their kind.
  const unlooked = [
    ...uncheckedByProjects({ unchecked, projectDoubt }, touched, after),
    ...(missing === undefined ? [] : [missing]),
    ...(await uncheckedParts(changes, { before, after, readText })),
    ...(await doubtsOfFlags(executor, { overlay, showing, touched, reached: files.after }, signal)),
    ...(scope === 'workspace' && !reach.isUnseen ? await doubtsOfOutputs(lease, touched, signal) : []),
  ];
  const unseen = blindSpot(definition, executor.register);
  const doubts: readonly Doubt[] = [
    ...doubtsOfProof([...before, ...after]),
    ...(scope === 'workspace' ? doubtsOfReach(reach) : []),
    ...standingDoubt(executor.isBlind, 'disk-unwatched'),
    ...doubtsOfAnswers(after),
    ...doubtsOfDisturbance(ground.disturbed),
    ...doubtsOfScope(scope === 'file' ? touched.filter((path) => readsAsData(definition, path)) : []),
    ...unlooked.map((sentence): Doubt => ({ kind: 'unchecked', sentence })),
    ...doubtsOfCut(after),
    ...standingDoubt(executor.disk.epoch !== epoch, 'disk-moved'),
    ...standingDoubt(!isCompilers && isBusy(lease, showing), 'server-busy'),
    ...(unseen === undefined ? [] : [{ kind: 'blind-spot', sentence: unseen } as const]),
    ...standingDoubt(isHalfChecked(showing, after), 'half-checked'),
    ...doubtsOfBaseline(before),
  ];
  const errors = findings.introduced.some(({ diagnostic }) => diagnostic.severity === 'error');
  const known = scope === 'file' ? await executor.reachIfFresh(overlay, showing) : undefined;
  const looked = new Set([...files.before, ...files.after]);
  return {
    scope,
    ...findings,
    netDelta,
    errorsDelta: delta(findings, 'error'),
    warningsDelta: delta(findings, 'warning'),
    ...trustIn(doubts, errors ? 'introduced' : 'none'),
    timedOut: after.some(({ proof }) => proof.kind === 'none' && proof.reason === 'timeout'),
    server: { name: showing.located.definition.name, ...lease.server.info },
    settle: settleOf(showing, after),
    way: lease.way,
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

function isBusy(lease: Lease, { located }: Showing): boolean {
  return located.definition.quirks.readiness !== 'immediate' && lease.server.progress.isBusy;
}

function settleOf({ located }: Showing, after: readonly FileDiagnostics[]): Evaluation['settle'] {
  const { settle } = located.definition;
  if (settle.mode === 'offered') {
    const isPulled = after.some(({ proof }) => proof.kind === 'pulled');
    return isPulled ? { mode: 'pull' } : { mode: 'push', quietMs: settle.quietMs };
  }
  return { mode: settle.mode === 'versioned-push' ? 'push' : settle.mode };
}
