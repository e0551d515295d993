/** `forerun/queue`: an Evaluator on the workers of a queue. Redis or Valkey and the packages bullmq and ioredis are needed. */
export type { JobPriority } from '../queue/job.ts';
export { QueuedEvaluator, type QueuedEvaluatorOptions } from '../queue/queued-evaluator.ts';
