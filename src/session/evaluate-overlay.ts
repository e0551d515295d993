/**
 * Measures what an overlay, or its uppermost layer, does to the diagnostics of its workspace.
 *
 * Invariant: the files compared are exactly `evaluatedFiles`, both sides were measured by the same server
 * shown in the same way, and every reason to doubt the outcome is named in it.
 */
import type { FileChange, Overlay } from '../overlay/overlay.ts';
import { blindSpot } from '../servers/blind-spot.ts';
import { compilationDoubts, isUnit, shownText } from '../servers/c/compilation-database.ts';
import { checkedManifests } from '../servers/checked-manifest.ts';
import { ServerNotConfined } from '../servers/confinement-need.ts';
import type { Executor, Showing } from '../servers/executor.ts';
import { bearsOn, isAnsweredFor, readsAsData } from '../servers/file-bearing.ts';
import type { LanguageId } from '../servers/language.ts';
import type { Lease } from '../servers/lease.ts';
import type { OverlayEffect } from '../servers/overlay-effect.ts';
import { type CheckedFiles, checkedFiles } from '../servers/project/checked-files.ts';
import { type FileDiagnostics, isProved } from '../servers/proof.ts';
import type { Reach } from '../servers/reach/reach-graph.ts';
import { uncheckedParts } from '../servers/rust/unchecked-change.ts';
import { serves } from '../servers/server-routing.ts';
import type { Scope } from '../servers/way.ts';
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';
import { type Circumstances, judge, listed } from './confidence.ts';
import { compareDiagnostics } from './diagnostic-comparison.ts';
import { emptyEvaluation } from './empty-evaluation.ts';
import type { Evaluation, Finding } from './evaluation.ts';
import {
  type Against,
  changesAgainst,
  type EvaluationGround,
  groundOf,
  parentOf,
} from './evaluation-ground.ts';
import { ServerStarting } from './failure.ts';
import { leaseInTime } from './lease-in-time.ts';
import { doubtOfMissingLibraries } from './missing-library-doubt.ts';

export interface EvaluationRequest {
  readonly overlay: Overlay;
  readonly language: LanguageId;
  readonly scope: Scope;
  readonly timeoutMs: number;
  /** How long a server may take to be ready before the answer is given without it; absent: as long as it takes. */
  readonly startTimeoutMs?: number | undefined;
  /** What it is compared with; absent: the disk. */
  readonly against?: Against;
}

/** A baseline is allowed at least this long, whatever the caller grants the evaluation itself. */
const baselineTimeoutMs = 3000;

export async function evaluateOverlay(
  executor: Executor,
  request: EvaluationRequest,
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
function nothingKnown({ scope }: EvaluationRequest, showing: Showing): Evaluation {
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
  request: EvaluationRequest,
  { showing, touched }: Subject,
  signal: AbortSignal,
): Promise<Omit<Evaluation, 'durationMs'>> {
  const { overlay, scope, timeoutMs, against = 'disk' } = request;
  const { definition } = showing.located;
  const reach =
    scope === 'workspace'
      ? await reachOf(executor, { overlay, against, showing }, signal)
      : { files: [], complete: true };
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
  await using lease = await leaseInTime(
    patience,
    (whileLeasing) => executor.leaseShowing(showing, whileLeasing),
    signal,
  );
  const after = await lease.diagnostics(files.after, { timeoutMs, withConfigs }, signal);
  const findings = compareDiagnostics(changes, before, after, definition.stopsAt);
  const netDelta = findings.introduced.length - findings.resolved.length;
  const isChecked = after.every(({ proof }) => proof.kind === 'checked');
  const readText = async (path: string): Promise<string | undefined> => {
    const content = await overlay.read(executor.workspace.path(path));
    return content?.kind === 'text' ? content.text : undefined;
  };
  const missing = doubtOfMissingLibraries(executor, definition.reach, {
    changes,
    before,
    after,
    introduced: findings.introduced,
  });
  const circumstances: Circumstances = {
    scope,
    reach,
    before,
    after,
    isClean: !findings.introduced.some(({ diagnostic }) => diagnostic.severity === 'error'),
    changedUnderneath: ground.disturbed,
    diskMoved: executor.disk.epoch !== epoch,
    isBlind: executor.isBlind,
    unchecked: [
      ...uncheckedByProjects({ unchecked, projectDoubt }, touched, after),
      ...(missing === undefined ? [] : [missing]),
      ...(await uncheckedParts(changes, { before, after, readText })),
      ...(await doubtsOfFlags(executor, { overlay, showing, touched, reached: files.after }, signal)),
    ],
    blindSpot: blindSpot(definition, executor.register),
    isBusy: !isChecked && isBusy(lease, showing),
    beyondScope: scope === 'file' ? touched.filter((path) => readsAsData(definition, path)) : [],
    isHalfChecked: isHalfChecked(showing, after),
  };
  const known = scope === 'file' ? await executor.reachIfFresh(overlay, showing) : undefined;
  const looked = new Set([...files.before, ...files.after]);
  return {
    scope,
    ...findings,
    netDelta,
    errorsDelta: delta(findings, 'error'),
    warningsDelta: delta(findings, 'warning'),
    ...judge(circumstances),
    timedOut: after.some(({ proof }) => proof.kind === 'none' && proof.reason === 'timeout'),
    server: { name: showing.located.definition.name, ...lease.server.info },
    settle: settleOf(showing, after),
    way: lease.way,
    confinement: lease.confinement,
    evaluatedFiles: [...looked].sort(comparePaths),
    ...(known && { dependentsNotChecked: known.files.filter((path) => !looked.has(path)).length }),
  };
}

/** What no project looks at, by its own configuration or by the server's account of its projects. */
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

/** Where files are compiled with flags from elsewhere: what is not known of these. */
async function doubtsOfFlags(
  executor: Executor,
  subject: Subject & { readonly overlay: Overlay; readonly reached: readonly WorkspacePath[] },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { overlay, showing, touched, reached } = subject;
  const { definition } = showing.located;
  const files = touched.filter((path) => serves(definition, path) && showing.effect.get(path) !== 'removed');
  if (definition.compilation === undefined || files.length === 0) return [];
  // In file scope what includes a header was not looked at, but must be there.
  const units = files.every(isUnit) ? reached : (await executor.reach(overlay, showing, signal)).files;
  return compilationDoubts(
    { touched: files.map(absolute), units: units.map(absolute) },
    shownText(showing.effect, (path) => executor.workspace.absolute(path)),
  );
  function absolute(path: WorkspacePath): string {
    return executor.workspace.absolute(path);
  }
}

/**
 * What the change can reach: from the files as they are after it, and from what it is compared with. Where the change
 * leads back to the disk, as one that is applied already does, only the second differs from the disk at all.
 */
async function reachOf(
  executor: Executor,
  {
    overlay,
    against,
    showing,
  }: { readonly overlay: Overlay; readonly against: Against; readonly showing: Showing },
  signal: AbortSignal,
): Promise<Reach> {
  const parent = parentOf(overlay, against);
  // What lies beneath is not on the disk, from which the declarations of all other files are known.
  const proved = parent ? undefined : await executor.provedReach(overlay, showing, signal);
  const holds = async (): Promise<boolean> => {
    const { shown } = await groundOf(executor, { overlay, against }, () => true);
    const base = { ...showing, effect: bearing(showing, shown) };
    return haveSameFiles(executor, [base, showing], signal);
  };
  if (proved && (proved.condition === undefined || (await holds()))) return proved;
  const after = await executor.reach(overlay, showing, signal);
  if (!parent) return after;
  const before = await executor.reach(parent, showing, signal);
  return {
    files: [...new Set([...after.files, ...before.files])],
    complete: after.complete && before.complete,
  };
}

/** Whether every project has the same files in whatever is shown, as far as the server can tell. */
async function haveSameFiles(
  executor: Executor,
  showings: readonly Showing[],
  signal: AbortSignal,
): Promise<boolean> {
  const lists = new Set<string | undefined>();
  for (const showing of showings) {
    await using lease = await executor.leaseShowing(showing, signal);
    lists.add(await lease.projectFiles(signal));
  }
  return lists.size === 1 && !lists.has(undefined);
}

interface FilesToCompare {
  readonly before: readonly WorkspacePath[];
  readonly after: readonly WorkspacePath[];
}

/** A created file has no baseline, a deleted one no present; a renamed one has each under its own name. */
function filesToCompare(
  { changes, exists }: EvaluationGround,
  reached: readonly WorkspacePath[],
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
    after.add(path);
  }
  return { before: [...before], after: [...after] };
}

interface CheckedOnly {
  readonly files: FilesToCompare;
  /** Changed files that are checked on neither side. */
  readonly unchecked: readonly WorkspacePath[];
  readonly projectDoubt: string | undefined;
}

/** A file counts on each side only where the project checks it there: one that enters brings its errors along. */
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

/** Of what is shown a server is shown what bears on it, as it is of an overlay. */
function bearing({ located }: Showing, shown: OverlayEffect): OverlayEffect {
  return new Map([...shown].filter(([path]) => bearsOn(located.definition, path)));
}

function delta(
  findings: { introduced: readonly Finding[]; resolved: readonly Finding[] },
  severity: 'error' | 'warning',
): number {
  const count = (list: readonly Finding[]) =>
    list.filter(({ diagnostic }) => diagnostic.severity === severity).length;
  return count(findings.introduced) - count(findings.resolved);
}

/** Whether a server answered where the compiler was to: it speaks for files that must be mounted, some for every change. */
function isHalfChecked(
  { located: { definition }, way }: Showing,
  after: readonly FileDiagnostics[],
): boolean {
  if (definition.fullCheck?.speaks === 'in-workspace-scope')
    return !after.every(({ proof }) => proof.kind === 'checked');
  const isServers = after.some(({ proof }) => isProved(proof) && proof.kind !== 'checked');
  return definition.fullCheck !== undefined && way === 'mounted' && isServers;
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
