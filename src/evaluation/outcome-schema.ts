/**
 * The schema of an EvaluationOutcome from another process.
 *
 * Invariant: an outcome passes JSON and this schema unchanged.
 */
import { z } from 'zod';
import { Failure } from '../base/failure.ts';
import { workspacePathSchema } from '../overlay/encoded-overlay.ts';
import type { Evaluation, Verdict } from './evaluation.ts';
import type { EvaluationOutcome } from './evaluator.ts';

const position = z.object({ line: z.number(), character: z.number() });
const range = z.object({ start: position, end: position });

const diagnostic = z.object({
  range,
  severity: z.enum(['error', 'warning', 'info', 'hint']),
  message: z.string(),
  source: z.string().exactOptional(),
  code: z.union([z.string(), z.number()]).exactOptional(),
  tags: z.array(z.enum(['unnecessary', 'deprecated'])).exactOptional(),
  related: z.array(z.object({ uri: z.string(), range, message: z.string() })).exactOptional(),
  data: z.unknown().exactOptional(),
});

const finding = z.object({ path: workspacePathSchema, diagnostic });

/** An Evaluation that was stored or sent as JSON. */
export const evaluationSchema: z.ZodType<Evaluation> = z.object({
  scope: z.enum(['file', 'workspace']),
  introduced: z.array(finding),
  resolved: z.array(finding),
  netDelta: z.number(),
  errorsDelta: z.number(),
  warningsDelta: z.number(),
  confidence: z.enum(['high', 'eventual', 'partial', 'low']),
  baselineConfidence: z.enum(['high', 'partial']),
  timedOut: z.boolean(),
  durationMs: z.number(),
  server: z.object({ name: z.string(), version: z.string().exactOptional() }),
  settle: z.object({ mode: z.enum(['pull', 'push', 'request']), quietMs: z.number().exactOptional() }),
  way: z.enum(['buffers', 'mounted', 'copied']),
  confinement: z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(['refused', 'not-needed', 'confined', 'elsewhere']) }),
    z.object({ kind: z.literal('open'), because: z.string() }),
  ]),
  evaluatedFiles: z.array(workspacePathSchema),
  dependentsNotChecked: z.number().exactOptional(),
  doubts: z.array(z.string()),
});

export const verdictSchema: z.ZodType<Verdict> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('clean') }),
  z.object({ kind: z.literal('broken'), errors: z.number(), in: z.array(workspacePathSchema) }),
  z.object({ kind: z.literal('unknown'), why: z.array(z.string()) }),
]);

const unjudged = z.object({
  paths: z.array(workspacePathSchema),
  reason: z.string(),
  remedy: z.string(),
  failure: z.object({ server: z.string(), code: z.string() }).exactOptional(),
});

const outcomeSchema: z.ZodType<EvaluationOutcome> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('evaluated'),
    changed: z.array(workspacePathSchema),
    verdict: verdictSchema,
    evaluations: z.array(evaluationSchema),
    unjudged: z.array(unjudged),
    mainServer: z.string().exactOptional(),
    worker: z.string().exactOptional(),
  }),
  z.object({ kind: z.literal('stale'), paths: z.array(workspacePathSchema) }),
]);

export class MalformedOutcome extends Failure {
  readonly code = 'evaluation/malformed-outcome';
  readonly remedy = 'Run the evaluator with the same version of the program.';
}

export function parseOutcome(raw: unknown): EvaluationOutcome {
  const { data, error } = outcomeSchema.safeParse(raw);
  if (error) throw new MalformedOutcome(`not the outcome of an evaluation: ${z.prettifyError(error)}`);
  return data;
}
