/**
 * What-ifs on the wire: changes that are not on disk, by anyone: sessions of every process of the user, the unsaved
 * text and what the agent works out ahead.
 *
 * Invariant: a row says what is known now. A verdict that was measured on another base is not shown as one.
 */
import { z } from 'zod';
import { wireEvaluation, wireVerdict } from './evaluation.ts';
import { method, nothing, path } from './method.ts';

const id = z.string().min(1).max(128);

export const whatIfRow = z.object({
  id,
  group: z.enum(['yours', 'agents', 'ahead', 'committed']),
  /** `unsaved` is the text of the buffers; it can be neither discarded nor taken. */
  kind: z.enum(['unsaved', 'session', 'ahead']),
  title: z.string(),
  author: z.string(),
  /** Milliseconds since the epoch; of a committed one, of its commit. */
  at: z.number(),
  files: z.array(path),
  added: z.number().int(),
  removed: z.number().int(),
  status: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('checking') }),
    z.object({ kind: z.literal('unchecked') }),
    z.object({ kind: z.literal('checked'), verdict: wireVerdict, isProved: z.boolean() }),
    /** Files that it changes have changed on disk since. */
    z.object({ kind: z.literal('base-changed'), paths: z.array(path) }),
    z.object({ kind: z.literal('unreadable'), reason: z.string() }),
  ]),
  /** A committed one whose commit can be undone now. */
  canUndo: z.boolean(),
  commands: z.object({ passed: z.number().int(), failed: z.number().int() }),
});
export type WhatIfRow = z.infer<typeof whatIfRow>;

export const whatIfCommand = z.object({
  command: z.string(),
  ran: z.boolean(),
  passed: z.boolean(),
  durationMs: z.number().optional(),
  testsRun: z.number().optional(),
});

export const whatIfFile = z.object({
  path,
  kind: z.enum(['created', 'modified', 'deleted', 'renamed']),
  from: path.optional(),
  added: z.number().int(),
  removed: z.number().int(),
  /** Absent: it is not text, or larger than what is sent. */
  texts: z.object({ before: z.string(), after: z.string() }).optional(),
});
export type WhatIfFile = z.infer<typeof whatIfFile>;

const changedOrConflict = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), paths: z.array(path) }),
  /** Nothing was written: these files changed meanwhile. */
  z.object({ kind: z.literal('conflict'), paths: z.array(path) }),
]);

export const whatIfMethods = {
  'whatif.show': method(
    z.object({ id }),
    z.object({
      row: whatIfRow,
      /** Measured on the files as they are now; absent: not measured yet. */
      evaluation: wireEvaluation.optional(),
      commands: z.array(whatIfCommand),
      files: z.array(whatIfFile),
    }),
  ),
  /** Measures it on the files as they are now. */
  'whatif.check': method(z.object({ id }), wireEvaluation),
  'whatif.commit': method(z.object({ id }), changedOrConflict),
  'whatif.discard': method(z.object({ ids: z.array(id).min(1) }), nothing),
  /** Takes a discard back; the what-if has a new id. */
  'whatif.restore': method(z.object({ id }), z.object({ id })),
  /** Takes the commit of a what-if back, if it was the last one. */
  'whatif.undo': method(z.object({ id }), changedOrConflict),
  /** Makes its changes in the buffers, unsaved; files are created, moved and deleted on disk. The paths are of buffers. */
  'whatif.take': method(z.object({ id }), changedOrConflict),
  /** Makes the change again on the files as they are now. */
  'whatif.rebase': method(
    z.object({ id }),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('done'), id }),
      z.object({ kind: z.literal('conflict'), paths: z.array(path) }),
    ]),
  ),
  'whatif.rank': method(
    z.object({ ids: z.array(id).min(2).max(50) }),
    z.object({
      ranked: z.array(
        z.object({ id, rank: z.number().int(), reason: z.string(), evaluation: wireEvaluation.optional() }),
      ),
    }),
  ),
} as const;

export const whatIfEvents = [
  z.object({ kind: z.literal('whatif.changed'), rows: z.array(whatIfRow), removed: z.array(id) }),
] as const;

export const whatIfSnapshot = z.object({ whatIfs: z.array(whatIfRow).optional() });
