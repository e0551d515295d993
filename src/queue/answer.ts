/**
 * The answer to a job: the outcome of its evaluation, or why there is none, and which worker gave it.
 *
 * Invariant: the outcome that the caller gets is the one that the worker computed, with the caller's root in place of the
 * worker's.
 */
import { z } from 'zod';
import { Failure, messageOf } from '../base/failure.ts';
import type { EvaluationOutcome } from '../evaluation/evaluator.ts';
import { parseOutcome } from '../evaluation/outcome-schema.ts';
import { MalformedJob } from './queue-failure.ts';

/** What the worker had ready when the job came: a checkout of its commit, of a near one, or none. */
export const warmths = ['warm', 'near', 'cold'] as const;

export type Warmth = (typeof warmths)[number];

const answerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('outcome'),
    outcome: z.unknown(),
    /** The root of the checkout, which may be part of messages. */
    root: z.string(),
    worker: z.string(),
    warmth: z.enum(warmths),
  }),
  z.object({
    kind: z.literal('failure'),
    code: z.string(),
    message: z.string(),
    remedy: z.string(),
    worker: z.string(),
  }),
]);

export type Answer = z.infer<typeof answerSchema>;

const datedAnswerSchema = z.object({
  answer: answerSchema,
  /** When it was given, by the clock of the queue: one that was stored again later is not taken. */
  at: z.number(),
});

export type DatedAnswer = z.infer<typeof datedAnswerSchema>;

export function parseAnswer(text: string): DatedAnswer {
  const { data, error } = datedAnswerSchema.safeParse(JSON.parse(text));
  if (error) throw new MalformedJob(`not an answer: ${z.prettifyError(error)}`);
  return data;
}

export function failureAnswer(thrown: unknown, worker: string): Answer {
  const known = thrown instanceof Failure ? thrown : undefined;
  return {
    kind: 'failure',
    code: known?.code ?? 'queue/worker-failed',
    message: messageOf(thrown),
    remedy: known?.remedy ?? 'See the log of the worker.',
    worker,
  };
}

/** Whether the same question would get the same answer again; an unknown verdict or a failure may not. */
export function isConclusive(answer: Answer): boolean {
  if (answer.kind === 'failure') return false;
  const { kind, verdict } = z
    .object({ kind: z.string(), verdict: z.object({ kind: z.string() }).optional() })
    .parse(answer.outcome);
  return kind === 'evaluated' && verdict !== undefined && verdict.kind !== 'unknown';
}

/** The outcome in the words of the caller's machine. */
export function outcomeFor(root: string, answer: Extract<Answer, { kind: 'outcome' }>): EvaluationOutcome {
  const outcome = parseOutcome(relocated(answer.outcome, answer.root, root));
  return outcome.kind === 'evaluated' ? { ...outcome, worker: answer.worker } : outcome;
}

/** A message of a server may name a file by its absolute path or its URI. */
function relocated(value: unknown, from: string, to: string): unknown {
  if (typeof value === 'string') {
    return value.includes(from) || value.includes(encodeURI(from))
      ? value.replaceAll(encodeURI(from), encodeURI(to)).replaceAll(from, to)
      : value;
  }
  if (Array.isArray(value)) return value.map((item) => relocated(item, from, to));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, relocated(item, from, to)]));
}
