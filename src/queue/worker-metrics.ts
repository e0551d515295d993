/** What a worker has done, as text for Prometheus. */
import { type Warmth, warmths } from './answer.ts';

/** How a job ended. */
export const jobEnds = [
  'answered',
  'stale',
  'failed',
  'retried',
  'cancelled',
  'returned',
  'refused',
] as const;

export type JobEnd = (typeof jobEnds)[number];

export interface WorkerState {
  readonly running: number;
  readonly concurrency: number;
  readonly checkouts: number;
}

export class WorkerMetrics {
  readonly #ends = new Map<JobEnd, number>();
  readonly #warmths = new Map<Warmth, number>();
  readonly #seconds = new Map<Warmth, number>();
  #stolen = 0;

  ended(end: JobEnd): void {
    this.#ends.set(end, (this.#ends.get(end) ?? 0) + 1);
  }

  evaluated(warmth: Warmth, seconds: number): void {
    this.#warmths.set(warmth, (this.#warmths.get(warmth) ?? 0) + 1);
    this.#seconds.set(warmth, (this.#seconds.get(warmth) ?? 0) + seconds);
  }

  stole(): void {
    this.#stolen += 1;
  }

  text(state: WorkerState): string {
    return [
      ...metric('forerun_worker_jobs_total', 'counter', 'Jobs by how they ended.', [
        ...jobEnds.map((end) => [`{end="${end}"}`, this.#ends.get(end) ?? 0] as const),
      ]),
      ...metric('forerun_worker_evaluations_total', 'counter', 'Evaluations by what was ready for them.', [
        ...warmths.map((warmth) => [`{ready="${warmth}"}`, this.#warmths.get(warmth) ?? 0] as const),
      ]),
      ...metric('forerun_worker_evaluation_seconds_total', 'counter', 'Time of these evaluations.', [
        ...warmths.map((warmth) => [`{ready="${warmth}"}`, this.#seconds.get(warmth) ?? 0] as const),
      ]),
      ...metric('forerun_worker_stolen_total', 'counter', 'Jobs taken from an overloaded worker.', [
        ['', this.#stolen],
      ]),
      ...metric('forerun_worker_running', 'gauge', 'Jobs that run now.', [['', state.running]]),
      ...metric('forerun_worker_concurrency', 'gauge', 'Jobs that can run at once.', [
        ['', state.concurrency],
      ]),
      ...metric('forerun_worker_checkouts', 'gauge', 'Checkouts of commits.', [['', state.checkouts]]),
      ...metric('forerun_worker_resident_bytes', 'gauge', 'Memory of the worker without its servers.', [
        ['', process.memoryUsage.rss()],
      ]),
      '',
    ].join('\n');
  }
}

function metric(
  name: string,
  kind: 'counter' | 'gauge',
  help: string,
  values: readonly (readonly [labels: string, value: number])[],
): readonly string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${kind}`,
    ...values.map(
      ([labels, value]) => `${name}${labels} ${Number.isInteger(value) ? value : value.toFixed(3)}`,
    ),
  ];
}
