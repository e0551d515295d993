/**
 * Evaluates one job on a worker.
 *
 * Invariants: the answer is that of a LocalEvaluator on the commit of the job. On a checkout of a near commit, the
 * difference is shown beneath the change and is no part of the comparison. Where the files are not those that the request
 * rests on, the outcome is `stale`. A source that the caller has and no job carries is a doubt, unless it is the same here.
 */
import { join } from 'node:path';
import { Deadline } from '../base/deadline.ts';
import type { Log } from '../base/log.ts';
import { decodeRequest } from '../evaluation/encoded-request.ts';
import type { EvaluationOutcome, EvaluationRequest } from '../evaluation/evaluator.ts';
import { LocalEvaluator, stalePaths } from '../evaluation/local-evaluator.ts';
import { rawChangesOverlay } from '../git/repository-overlay.ts';
import type { Forerun } from '../host/forerun.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { isAtOrBelow, realPathOf } from '../workspace/real-path.ts';
import type { Warmth } from './answer.ts';
import type { Job, JobPart } from './job.ts';
import { MalformedJob, RepositoryNotAllowed } from './queue-failure.ts';
import type { QueueStore } from './queue-store.ts';
import type { Checkout, RepositoryCheckouts } from './repository-checkouts.ts';
import type { AllowedRepositories } from './repository-identity.ts';
import { stackOn } from './stacked-request.ts';
import { unsentSourcesSchema, withoutUnsent } from './unsent-source.ts';

export interface JobParts {
  readonly forerun: Forerun;
  readonly checkouts: RepositoryCheckouts;
  readonly store: QueueStore;
  readonly allowed: AllowedRepositories;
  readonly log: Log;
}

export interface JobResult {
  readonly outcome: EvaluationOutcome;
  /** The root of the workspace on this machine. */
  readonly root: string;
  readonly warmth: Warmth;
}

export async function runJob(
  parts: JobParts,
  { job, onProgress }: { readonly job: Job; readonly onProgress: (message: string) => void },
  signal: AbortSignal,
): Promise<JobResult> {
  const { forerun, checkouts, store, allowed, log } = parts;
  const { repository, layers, request: asked, deadlineMs } = job;
  const remote = allowed.remoteOf(repository);
  if (remote === undefined) throw new RepositoryNotAllowed(repository.identity);
  using deadline = new Deadline(deadlineMs, signal);
  const overlay = await Promise.all(layers.map((layer) => readPart(layer, store)));
  const unsent = unsentSourcesSchema.parse(await readPart(job.unsent, store));
  onProgress('fetching the commit');
  using lease = await checkouts.lease({ ...repository, remote }, deadline.signal);
  const { checkout, warmth } = lease;
  const root = rootIn(checkout, repository.directory);
  const { live } = await forerun.registry.open(root, deadline.signal);
  const raw = { ...asked, overlay, workspace: { root } };
  const evaluator = new LocalEvaluator(live, log);
  if (checkout.commit === repository.commit) {
    const request = { ...decodeRequest(raw, live.disk.source), onProgress };
    const outcome = await evaluator.evaluate(request, deadline.signal);
    return { outcome: await withoutUnsent(outcome, unsent, live.disk.source), root, warmth };
  }
  const near = await nearOverlay(checkout, { to: repository.commit, live }, deadline.signal);
  const moved = await onNearCommit(decodeRequest(raw, near), near);
  if ('kind' in moved) return { outcome: moved, root, warmth };
  const outcome = await evaluator.evaluate({ ...moved, onProgress }, deadline.signal);
  return { outcome: await withoutUnsent(outcome, unsent, live.disk.source), root, warmth };
}

/** What leads from the checkout to another commit. No git process is started for it. */
async function nearOverlay(
  { mirror, commit, top }: Checkout,
  { to, live }: { readonly to: string; readonly live: LiveWorkspace },
  signal: AbortSignal,
): Promise<Overlay> {
  const changes = await mirror.changes({ from: commit, to }, signal);
  const place = { changes, top, workspace: live.workspace, base: live.emptyOverlay() };
  return (await rawChangesOverlay(mirror, place, signal)).flattened();
}

type LiveWorkspace = Awaited<ReturnType<Forerun['registry']['open']>>['live'];

/** The request on top of the difference between the checkout and its commit. */
async function onNearCommit(
  request: EvaluationRequest,
  near: Overlay,
): Promise<EvaluationRequest | Extract<EvaluationOutcome, { kind: 'stale' }>> {
  const paths = await stalePaths(request.overlay, request.restsOn ?? [], near);
  if (paths.length > 0) return { kind: 'stale', paths };
  return {
    ...request,
    ...(await stackOn(near, { ...request, against: request.against })),
    restsOn: undefined,
  };
}

async function readPart(part: JobPart, store: QueueStore): Promise<unknown> {
  const text = part.kind === 'inline' ? part.text : await store.blob(part.hash);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MalformedJob('a part of the job is not JSON', { cause });
  }
}

/** The workspace of the job. A link that the repository holds does not lead out of the checkout. */
function rootIn({ top }: Checkout, directory: string): string {
  const root = realPathOf(join(top, directory));
  if (!isAtOrBelow(root, realPathOf(top))) throw new MalformedJob(`${directory} leads out of the repository`);
  return root;
}

/** Whether a language server crashed on the job: it may be the fault of the job, or of the server. */
export function crashIn(outcome: EvaluationOutcome): string | undefined {
  if (outcome.kind === 'stale') return undefined;
  const crashed = outcome.unjudged.find(({ failure }) => failure !== undefined && crashes.has(failure.code));
  return crashed?.reason;
}

const crashes: ReadonlySet<string> = new Set(['lsp/server-crashed', 'servers/crashes-repeatedly']);
