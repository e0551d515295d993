/**
 * Measures the effect of an overlay, or of its uppermost layer, on the diagnostics of its workspace.
 *
 * Invariant: the files compared are exactly `evaluatedFiles`, both sides were measured by the same server in the same
 * projection mode, and every reason to doubt the result is listed in it.
 */

import { Deadline } from '../base/deadline.ts';
import type { BegunBaseline } from '../live/baseline-store.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { ProjectionPlan } from '../live/projection-plan.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { isUnit } from '../servers/c/compilation-database.ts';
import { headersNaming } from '../servers/c/naming-headers.ts';
import { ServerNotConfined } from '../servers/confinement-need.ts';
import type { LanguageId } from '../servers/language.ts';
import type { Lease } from '../servers/lease.ts';
import type { Scope } from '../servers/projection.ts';
import type { FileDiagnostics } from '../servers/proof.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';
import type { AnswerCount } from './answer-count.ts';
import { type Comparison, type FilesToCompare, planComparison, relevant, stepsOf } from './comparison.ts';
import { type Against, changesAgainst } from './comparison-base.ts';
import { type Answers, type CompiledAnswers, compiledAnswers } from './compiled-answers.ts';
import { compareDiagnostics, withoutMisplaced } from './diagnostic-comparison.ts';
import {
  type Evaluation,
  emptyEvaluation,
  type Finding,
  type PartialEvaluation,
  trustIn,
} from './evaluation.ts';
import { ServerStarting } from './evaluation-failure.ts';
import { answersBehind, doubtOfMissingLibraries, doubtsOfMeasurement } from './measurement-doubt.ts';

/** A request to one server. */
export interface ServerRequest {
  readonly overlay: Overlay;
  readonly language: LanguageId;
  readonly scope: Scope;
  readonly timeoutMs: number;
  /** How long to wait for a server to be ready before answering without it; absent: without limit. */
  readonly startTimeoutMs?: number | undefined;
  /** The base of the comparison; absent: the disk. */
  readonly against?: Against;
  /** Counts the answers about the text after the change. */
  readonly count?: AnswerCount | undefined;
  /** Receives what is known before every file has answered. */
  readonly onPartial?: ((partial: PartialEvaluation) => void) | undefined;
}

/** A baseline may take at least this long, whatever the timeout of the evaluation. */
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

/** The evaluation if no server was asked. */
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
  subject: Subject,
  signal: AbortSignal,
): Promise<Measured> {
  const until = performance.now() + request.timeoutMs;
  const comparison = await planComparison(live, request, subject, signal);
  const asked = { ...subject, comparison, known: nothingAsked, epoch: live.disk.epoch };
  const first = await measureFiles(live, request, asked, signal);
  if (first.behind.length === 0) return first.evaluation;
  const headers = await headersToAsk(live, comparison, first.behind);
  if (headers.length === 0) return first.evaluation;
  const rest = { ...request, timeoutMs: Math.max(1, until - performance.now()) };
  const more = {
    ...asked,
    comparison: { ...comparison, files: { before: headers, after: headers } },
    known: first.known,
  };
  const { evaluation } = await measureFiles(live, rest, more, signal);
  const { evaluatedFiles } = first.evaluation;
  return {
    ...evaluation,
    evaluatedFiles: [...new Set([...evaluatedFiles, ...evaluation.evaluatedFiles])].sort(comparePaths),
  };
}

/**
 * A unit shows one error of each include, so headers that the change can affect are asked by themselves: as many as units
 * at most, since each costs what a unit costs.
 */
async function headersToAsk(
  { disk }: LiveWorkspace,
  { reach, files, changes }: Comparison,
  behind: readonly WorkspacePath[],
): Promise<readonly WorkspacePath[]> {
  const reached = new Set(reach.files);
  const limit = Math.min(mostHeaders, files.after.filter(isUnit).length);
  const textOf = (path: WorkspacePath): Promise<string | undefined> => disk.text(path);
  return headersNaming(
    changes,
    behind.filter((path) => reached.has(path)),
    { textOf, limit },
  );
}

const mostHeaders = 8;

type Measured = Omit<Evaluation, 'durationMs'>;

interface AskedSubject extends Subject {
  readonly comparison: Comparison;
  /** Answers that count beside those about the files of the comparison. */
  readonly known: Answers;
  /** The disk epoch before the first request. */
  readonly epoch: number;
}

const nothingAsked: Answers = { before: [], after: [] };

async function measureFiles(
  live: LiveWorkspace,
  request: ServerRequest,
  subject: AskedSubject,
  signal: AbortSignal,
): Promise<{
  readonly evaluation: Measured;
  readonly known: Answers;
  readonly behind: readonly WorkspacePath[];
}> {
  const { overlay, scope, timeoutMs, count } = request;
  const { plan, comparison, known: earlier, epoch } = subject;
  const { definition } = plan.located;
  const { changes, files } = comparison;
  const steps = request.onPartial && answersByFile(plan) ? stepsOf(comparison) : [files];
  const baselines: BegunBaseline[] = [];
  for (const step of steps)
    baselines.push(await beginBaseline(live, request, { plan, comparison, step, steps }, signal));
  const behind = await answersBehind(live, plan, { changes, files: files.after, timeoutMs }, signal);
  await using lease = await leaseInTime(
    patienceOf(request, plan),
    (whileLeasing) => live.servers.lease(plan, whileLeasing),
    signal,
  );
  count?.expect(files.after.length);
  const answered = await answersInSteps(
    { lease, request, definition, comparison },
    { steps, baselines },
    signal,
  );
  const before = [...earlier.before, ...answered.before];
  const after = [...earlier.after, ...answered.after];
  const compiled = await answersToCompare(live, plan, { comparison, before, after }, signal);
  const findings = compareDiagnostics(changes, compiled.before, compiled.after, definition.stopsAt);
  const compared = { changes, before, after, introduced: findings.introduced, behind };
  const missing = await doubtOfMissingLibraries(live, definition, compared, signal);
  const { introduced } = findings;
  const measured = { comparison, before, after, introduced, missing, hidden: compiled.doubts, epoch };
  const doubts = await doubtsOfMeasurement(live, request, { ...subject, ...measured, lease }, signal);
  const errors = findings.introduced.some(({ diagnostic }) => diagnostic.severity === 'error');
  const fresh = scope === 'file' ? await live.reach.ifFresh(overlay, plan) : undefined;
  const looked = new Set([...files.before, ...files.after].filter((path) => !comparison.witnesses.has(path)));
  const evaluation = {
    scope,
    ...findings,
    netDelta: findings.introduced.length - findings.resolved.length,
    errorsDelta: delta(findings, 'error'),
    warningsDelta: delta(findings, 'warning'),
    ...trustIn(doubts, errors ? 'introduced' : 'none'),
    timedOut: after.some(({ proof }) => proof.kind === 'none' && proof.reason === 'timeout'),
    server: { name: definition.name, ...lease.server.capabilities.info },
    settle: settleOf(plan, after),
    way: lease.setup.mode,
    confinement: lease.setup.site.confinement,
    evaluatedFiles: [...looked].sort(comparePaths),
    ...(fresh && { dependentsNotChecked: fresh.files.filter((path) => !looked.has(path)).length }),
  };
  return { evaluation, known: { before, after }, behind: compiled.behind ?? [] };
}

/** Whether a part of the files can be asked for first: a compiler or a unit answers for all of them at once. */
function answersByFile({ located: { definition } }: ProjectionPlan): boolean {
  return definition.fullCheck === undefined && definition.compilation !== 'database';
}

/** Asks about one step after the other; `timeoutMs` is for all of them. */
async function answersInSteps(
  asked: {
    readonly lease: Lease;
    readonly request: ServerRequest;
    readonly definition: ServerDefinition;
    readonly comparison: Comparison;
  },
  { steps, baselines }: { readonly steps: Steps; readonly baselines: readonly BegunBaseline[] },
  signal: AbortSignal,
): Promise<Answers> {
  const { lease, request, definition, comparison } = asked;
  const { changes, files, withConfigs, hintsFor, headerBodies, reach } = comparison;
  const { timeoutMs, count, onPartial } = request;
  const sameFiles = reach.keepsFiles === true;
  const until = performance.now() + timeoutMs;
  const before: FileDiagnostics[] = [];
  const after: FileDiagnostics[] = [];
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    const left = index === 0 ? timeoutMs : Math.max(1, until - performance.now());
    const options = {
      timeoutMs: left,
      withConfigs: withConfigs && isLast,
      heldOnly: true,
      hintsFor,
      sameFiles,
    };
    const onAnswered = count?.answered;
    after.push(...(await lease.diagnostics(step.after, { ...options, headerBodies, onAnswered }, signal)));
    // A server that keeps the unchanged projects has checked both sides at the same time.
    before.push(...((await baselines[index]?.answers) ?? []));
    if (isLast) break;
    const known = withoutMisplaced({ before, after }, { codes: definition.misplaced ?? [], sameFiles: true });
    const { introduced } = compareDiagnostics(changes, known.before, known.after, definition.stopsAt);
    const evaluatedFiles = after.map(({ path }) => path);
    const remaining = files.after.length - evaluatedFiles.length;
    onPartial?.({ server: definition.name, introduced, evaluatedFiles, remaining });
  }
  return { before, after };
}

type Steps = readonly FilesToCompare[];

/** The answers by which the sides are compared: for languages with units, those of a compiler. */
async function answersToCompare(
  live: LiveWorkspace,
  { located: { definition } }: ProjectionPlan,
  { comparison, before, after }: { readonly comparison: Comparison } & Answers,
  signal: AbortSignal,
): Promise<Omit<CompiledAnswers, 'behind'> & Partial<CompiledAnswers>> {
  if (definition.compilation !== 'database') {
    const sameFiles = comparison.reach.keepsFiles === true;
    return withoutMisplaced({ before, after }, { codes: definition.misplaced ?? [], sameFiles });
  }
  const { changes, witnesses } = comparison;
  return compiledAnswers(
    changes,
    { before, after },
    {
      pathOf: (uri) => live.workspace.fromUri(uri),
      includedBy: async (units) =>
        new Set((await live.reach.importedBy(definition, units, changes, signal)).keys()),
      witnesses,
    },
  );
}

/** How long the caller waits for the server to start. */
function patienceOf(
  { startTimeoutMs }: ServerRequest,
  { located }: ProjectionPlan,
): { readonly name: string; readonly startTimeoutMs: number | undefined } {
  return { name: located.definition.name, startTimeoutMs };
}

/** Requests the diagnostics of the files of a step before the change. */
function beginBaseline(
  live: LiveWorkspace,
  request: ServerRequest,
  {
    plan,
    comparison,
    step,
    steps,
  }: {
    readonly plan: ProjectionPlan;
    readonly comparison: Comparison;
    readonly step: FilesToCompare;
    readonly steps: Steps;
  },
  signal: AbortSignal,
): Promise<BegunBaseline> {
  const { base, hintsFor, headerBodies } = comparison;
  const withConfigs = comparison.withConfigs && step === steps.at(-1);
  const past = { ...plan, effect: relevant(plan, base.shown) };
  const timeoutMs = Math.max(baselineTimeoutMs, request.timeoutMs);
  return leaseInTime(
    patienceOf(request, plan),
    (whileLeasing) =>
      live.baselines.begin(
        past,
        step.before,
        { timeoutMs, withConfigs, heldOnly: true, hintsFor, headerBodies, whileLeasing },
        signal,
      ),
    signal,
  );
}

function delta(
  findings: { introduced: readonly Finding[]; resolved: readonly Finding[] },
  severity: 'error' | 'warning',
): number {
  const count = (list: readonly Finding[]) =>
    list.filter(({ diagnostic }) => diagnostic.severity === severity).length;
  return count(findings.introduced) - count(findings.resolved);
}

function settleOf({ located }: ProjectionPlan, after: readonly FileDiagnostics[]): Evaluation['settle'] {
  const { settle } = located.definition;
  if (settle.mode === 'offered') {
    const isPulled = after.some(({ proof }) => proof.kind === 'pulled');
    return isPulled ? { mode: 'pull' } : { mode: 'push', quietMs: settle.quietMs };
  }
  return { mode: settle.mode === 'versioned-push' ? 'push' : settle.mode };
}

/**
 * Settles like `lease`, whose signal aborts at the limit; without a limit it waits for the server. Giving up does not
 * cancel the start of the server, so the next caller benefits from it.
 */
async function leaseInTime<T>(
  { name, startTimeoutMs }: { readonly name: string; readonly startTimeoutMs: number | undefined },
  lease: (whileLeasing: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  if (startTimeoutMs === undefined) return lease(signal);
  using deadline = new Deadline(startTimeoutMs, signal);
  try {
    return await lease(deadline.signal);
  } catch (thrown) {
    if (!deadline.expired || thrown !== deadline.signal.reason) throw thrown;
    throw new ServerStarting(name, startTimeoutMs);
  }
}
