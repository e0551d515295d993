/**
 * A queue with many more workers than one machine can start.
 *
 * It is a simulation: how long a job takes where its repository is warm and where it is not was measured with one worker
 * (`bench/queue.ts`); the routing is that of the program. The network, Redis and the cores of the workers are taken to be
 * without limit, so the numbers say what the routing gives at best.
 */
import { version } from '../src/host/version.ts';
import { type LiveWorker, takesFrom, workersOf } from '../src/queue/live-worker.ts';
import { SeededRandom } from '../test/support/seeded-random.ts';

export interface ScaleQuestion {
  readonly workers: number;
  readonly repositories: number;
  /** Jobs that arrive in a minute, in all. */
  readonly jobsPerMinute: number;
  readonly minutes: number;
  /** As measured, in milliseconds. */
  readonly warmMs: number;
  readonly coldMs: number;
  /** How many repositories a worker keeps warm. */
  readonly checkouts: number;
}

export interface ScaleAnswer {
  /** From arrival to answer, of the jobs after the first tenth. */
  readonly latencies: readonly number[];
  /** Of the same jobs. */
  readonly warmShare: number;
  /** How much of their time the workers were busy. */
  readonly load: number;
}

interface SimulatedJob {
  readonly repository: number;
  readonly arrivesAt: number;
}

export function simulateScale(question: ScaleQuestion): ScaleAnswer {
  const { jobsPerMinute, minutes, repositories } = question;
  const random = new SeededRandom(14);
  const count = Math.round(jobsPerMinute * minutes);
  const jobs = Array.from({ length: count }, (): SimulatedJob => {
    // Few repositories get most of the jobs, as in a company.
    const repository = Math.floor(repositories * (random.below(1_000_000) / 1_000_000) ** 2);
    return { repository, arrivesAt: (random.below(1_000_000) / 1_000_000) * minutes * 60_000 };
  }).sort((one, other) => one.arrivesAt - other.arrivesAt);
  return new Cluster(question).run(jobs);
}

class Cluster {
  readonly #question: ScaleQuestion;
  readonly #workers: readonly LiveWorker[];
  readonly #queues = new Map<number, SimulatedJob[]>();
  /** The repositories that each worker has ready, the last used last. */
  readonly #ready = new Map<string, number[]>();
  readonly #freeAt = new Map<string, number>();
  readonly #ranked = new Map<number, readonly LiveWorker[]>();

  constructor(question: ScaleQuestion) {
    this.#question = question;
    this.#workers = Array.from({ length: question.workers }, (_, index) => ({
      name: `worker-${index}`,
      version,
      concurrency: 1,
      running: 0,
      identities: [],
      beginnings: ['git.example/'],
    }));
  }

  run(jobs: readonly SimulatedJob[]): ScaleAnswer {
    const latencies: number[] = [];
    let [warm, busyMs, done] = [0, 0, 0];
    for (const job of jobs) {
      const queue = this.#queues.get(job.repository) ?? [];
      this.#queues.set(job.repository, queue);
      const waiting = queue.filter(({ arrivesAt }) => arrivesAt > job.arrivesAt);
      this.#queues.set(job.repository, waiting);
      const worker = this.#chosen(job, waiting.length);
      const isWarm = this.#use(worker.name, job.repository);
      const startsAt = Math.max(job.arrivesAt, this.#freeAt.get(worker.name) ?? 0);
      const takesMs = isWarm ? this.#question.warmMs : this.#question.coldMs;
      this.#freeAt.set(worker.name, startsAt + takesMs);
      // It counts as waiting until it starts.
      waiting.push({ ...job, arrivesAt: startsAt });
      busyMs += takesMs;
      done += 1;
      if (done <= jobs.length / 10) continue;
      latencies.push(startsAt + takesMs - job.arrivesAt);
      if (isWarm) warm += 1;
    }
    const allMs = this.#question.workers * this.#question.minutes * 60_000;
    return { latencies, warmShare: warm / Math.max(latencies.length, 1), load: busyMs / allMs };
  }

  /** The owner, unless it is busy and one of those that help with such a backlog is free. A job that waits stays with the owner. */
  #chosen({ repository, arrivesAt }: SimulatedJob, backlog: number): LiveWorker {
    const identity = identityOf(repository);
    const order = this.#ranked.get(repository) ?? workersOf(identity, this.#workers);
    this.#ranked.set(repository, order);
    const [owner] = order;
    if (!owner) throw new Error('there are no workers');
    for (const [rank, worker] of order.entries()) {
      const asked = { identity, workers: order.slice(0, rank + 1), backlog };
      if (takesFrom(worker.name, asked) === undefined) break;
      if ((this.#freeAt.get(worker.name) ?? 0) <= arrivesAt) return worker;
    }
    return owner;
  }

  #use(worker: string, repository: number): boolean {
    const known = this.#ready.get(worker) ?? [];
    const isWarm = known.includes(repository);
    const used = [...known.filter((each) => each !== repository), repository];
    this.#ready.set(worker, used.slice(-this.#question.checkouts));
    return isWarm;
  }
}

function identityOf(repository: number): string {
  return `git.example/team/repository-${repository}`;
}
