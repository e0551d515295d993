/**
 * Merges before they happen, on the wire: what can be merged, and what is known so far of the chosen ones.
 *
 * Invariant: a pair is clean only if that was proved; a pair that is absent has not been judged.
 */
import { z } from 'zod';
import { wireFinding } from './evaluation.ts';
import { method, nothing, path } from './method.ts';

const side = z.string().min(1).max(4096);

const mergeCandidate = z.object({
  kind: z.enum(['branch', 'remote', 'worktree', 'what-if']),
  /** The branch, the directory of the working tree, or `session:` and the id of a what-if. */
  name: side,
  /** What a what-if is called. */
  title: z.string().optional(),
  branch: z.string().optional(),
  author: z.string().optional(),
  at: z.number().optional(),
});
export type WireMergeCandidate = z.infer<typeof mergeCandidate>;

/** A side alone, on the target. */
const mergeAlone = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('clean') }),
  z.object({ kind: z.literal('broken'), errors: z.number().int(), in: z.array(path) }),
  z.object({ kind: z.literal('unknown'), why: z.array(z.string()) }),
  /** Its text cannot be merged with the target. */
  z.object({ kind: z.literal('textual'), paths: z.array(z.string()) }),
]);
export type MergeAlone = z.infer<typeof mergeAlone>;

/** The changed line of a side that an error comes from; zero-based. */
const collidingChange = z.object({ path, line: z.number().int(), text: z.string() });

const mergePair = z.object({
  /** Indexes of sides; `one` is the smaller. */
  one: z.number().int(),
  other: z.number().int(),
  outcome: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('clean') }),
    z.object({ kind: z.literal('textual'), paths: z.array(z.string()) }),
    /** The text merges, and has errors that neither side has alone. */
    z.object({
      kind: z.literal('semantic'),
      count: z.number().int(),
      conflicts: z.array(
        z.object({
          finding: wireFinding,
          one: collidingChange.optional(),
          other: collidingChange.optional(),
        }),
      ),
    }),
    z.object({ kind: z.literal('unknown'), why: z.array(z.string()) }),
  ]),
});
export type WireMergePair = z.infer<typeof mergePair>;

export const mergeRun = z.object({
  /** Grows with every start. */
  run: z.number().int(),
  onto: z.object({ name: z.string(), commit: z.string() }),
  /** `title`: that of a what-if. */
  sides: z.array(z.object({ name: side, title: z.string().optional(), alone: mergeAlone.optional() })),
  pairs: z.array(mergePair),
  /** Absent until every pair is judged. */
  train: z
    .object({
      order: z.array(z.number().int()),
      leftOut: z.array(z.object({ side: z.number().int(), why: z.string() })),
    })
    .optional(),
  state: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('checking') }),
    z.object({ kind: z.enum(['done', 'cancelled']), durationMs: z.number() }),
    z.object({ kind: z.literal('failed'), message: z.string(), remedy: z.string() }),
  ]),
});
export type MergeRun = z.infer<typeof mergeRun>;

export const mergeMethods = {
  'merge.candidates': method(nothing, z.object({ onto: z.string(), candidates: z.array(mergeCandidate) })),
  /** Judges each side, every two of them, and the longest sequence; what was running ends. */
  'merge.start': method(
    z.object({ sides: z.array(side).min(2).max(26) }),
    z.object({ run: z.number().int() }),
  ),
  /** What was judged so far stays. */
  'merge.cancel': method(nothing, nothing),
  /** Makes a what-if of sides of the run, merged in this order; `paths`: files whose text does not merge. */
  'merge.compose': method(
    z.object({ sides: z.array(z.number().int().nonnegative()).min(1).max(26) }),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('done'), id: z.string() }),
      z.object({ kind: z.literal('conflict'), paths: z.array(z.string()) }),
    ]),
  ),
} as const;

export const mergeEvents = [z.object({ kind: z.literal('merge.changed'), merge: mergeRun })] as const;

export const mergeSnapshot = z.object({ merge: mergeRun.optional() });
