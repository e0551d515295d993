/**
 * An evaluation on the wire: what a change does to the diagnostics of the workspace, and how far that is proved.
 *
 * Invariant: `isProved` is true only if every file a program may read was measured, before and after the change. Lists
 * may be cut; `counts` is always whole.
 */
import { z } from 'zod';
import { path } from './method.ts';

const position = z.object({ line: z.number().int(), character: z.number().int() });
export const wireRange = z.object({ start: position, end: position });

/** A diagnostic that appears or disappears. Introduced: position after the change; resolved: before it. */
export const wireFinding = z.object({
  path,
  range: wireRange,
  severity: z.enum(['error', 'warning', 'info', 'hint']),
  message: z.string(),
  source: z.string().optional(),
  code: z.string().optional(),
});
export type WireFinding = z.infer<typeof wireFinding>;

export const wireVerdict = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('clean') }),
  z.object({ kind: z.literal('broken'), errors: z.number().int(), in: z.array(path) }),
  z.object({ kind: z.literal('unknown'), why: z.array(z.string()) }),
]);
export type WireVerdict = z.infer<typeof wireVerdict>;

const confidence = z.enum(['high', 'eventual', 'partial', 'low']);

/** How one server answered. */
export const wireServerProof = z.object({
  name: z.string(),
  version: z.string().optional(),
  settle: z.enum(['pull', 'push', 'request']),
  quietMs: z.number().optional(),
  confidence,
  baselineConfidence: z.enum(['high', 'partial']),
  files: z.number().int(),
  durationMs: z.number(),
});

export const wireEvaluation = z.object({
  verdict: wireVerdict,
  isProved: z.boolean(),
  /** The lowest of all servers. */
  confidence,
  introduced: z.array(wireFinding),
  resolved: z.array(wireFinding),
  counts: z.object({
    introducedErrors: z.number().int(),
    introduced: z.number().int(),
    resolved: z.number().int(),
    files: z.number().int(),
  }),
  durationMs: z.number(),
  servers: z.array(wireServerProof),
  /** Why it is not proved, in sentences. */
  doubts: z.array(z.string()),
  /** Changed files that no server was asked about. */
  unserved: z.array(path),
});
export type WireEvaluation = z.infer<typeof wireEvaluation>;
