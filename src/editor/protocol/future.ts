/**
 * The future on the wire: what the unsaved text would do to the workspace if it were saved.
 *
 * Invariant: a `checked` future names the versions of the buffers it is about; a page that has newer text shows it
 * as being checked.
 */
import { z } from 'zod';
import { wireEvaluation } from './evaluation.ts';
import { method, nothing, path } from './method.ts';

/** A changed line that causes errors in other files. */
export const futureCause = z.object({
  path,
  /** Zero-based, in the unsaved text. */
  line: z.number().int(),
  errors: z.number().int(),
  files: z.array(path),
});

export const futureState = z.discriminatedUnion('kind', [
  /** No buffer differs from the disk. */
  z.object({ kind: z.literal('nothing') }),
  /**
   * `files`: how many must answer; before that is known, how many were looked at last time. `answered`: how many have, in
   * a check that takes long.
   */
  z.object({
    kind: z.literal('checking'),
    files: z.number().int().optional(),
    answered: z.number().int().optional(),
  }),
  z.object({
    kind: z.literal('checked'),
    /** Grows with every check. */
    check: z.number().int(),
    unsaved: z.array(path),
    versions: z.record(z.string(), z.number().int()),
    evaluation: wireEvaluation,
    causes: z.array(futureCause),
  }),
  z.object({ kind: z.literal('unchecked'), reason: z.enum(['off', 'no-server']), detail: z.string() }),
]);
export type FutureState = z.infer<typeof futureState>;

export const futureMethods = {
  /** Checks again, although nothing changed. */
  'future.check': method(nothing, nothing),
  'future.enable': method(z.object({ isOn: z.boolean() }), nothing),
  /** Waits for the verdict of saving these files, and no others. Absent: nothing to check, or not checked. */
  'future.beforeSave': method(
    z.object({ paths: z.array(path).min(1) }),
    z.object({ evaluation: wireEvaluation.optional() }),
  ),
  /** The verdict of writing this text to a file, as the disk is now. */
  'future.judge': method(z.object({ path, text: z.string() }), wireEvaluation),
  /** The verdict of an edit that was planned and not made, on top of the unsaved text; that text itself is no part of it. */
  'future.judgePlan': method(z.object({ plan: z.string().max(64) }), wireEvaluation),
  /**
   * Ends the conflict of a file that changed on disk under unsaved text. `text` is the merged one; `disk` is what the page
   * has seen of the disk, absent for a deleted file. The sides in `leave` are kept as what-ifs.
   */
  'future.resolve': method(
    z.object({
      path,
      keep: z.enum(['disk', 'mine', 'merge']),
      disk: z.string().optional(),
      text: z.string().optional(),
      leave: z.array(z.enum(['disk', 'mine'])),
    }),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('resolved'), whatIfs: z.array(z.string()) }),
      /** It changed on disk once more. */
      z.object({ kind: z.literal('conflict') }),
    ]),
  ),
} as const;

export const futureEvents = [z.object({ kind: z.literal('future.changed'), future: futureState })] as const;

export const futureSnapshot = z.object({
  future: z
    .object({
      state: futureState,
      /** The last evaluation, while a new one runs. */
      last: wireEvaluation.optional(),
    })
    .optional(),
});
