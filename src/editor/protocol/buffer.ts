/**
 * Buffers on the wire: the text of open files, kept in step between every page and the back end.
 *
 * The back end is the authority. A page pushes its changes on the version it has; if that is not the current one,
 * it first receives what it missed and rebases. Changes are `ChangeSet.toJSON()` of `@codemirror/state`.
 */
import { z } from 'zod';
import { method, nothing, path } from './method.ts';

/**
 * One change to a buffer; `client` is the page that made it, or `forerun` for the back end. Those of one `step` belong
 * together: `code.undo` takes all of them back, in every file.
 */
export const bufferUpdate = z.object({
  client: z.string().max(64),
  changes: z.unknown(),
  step: z.string().exactOptional(),
});

/** How a buffer relates to the file on disk. */
export const bufferState = z.object({
  path,
  version: z.number().int().nonnegative(),
  /** The text differs from the disk. */
  isUnsaved: z.boolean(),
  /** The file changed on disk under unsaved text, or was deleted. */
  conflict: z.enum(['none', 'changed', 'deleted']),
  /** As language servers name it; `plaintext` where no server is known for the file. */
  language: z.string(),
  /** How its lines end on disk. In a `mixed` file only a line feed ends a line, and a carriage return is a character. */
  lineEnds: z.enum(['lf', 'crlf', 'mixed']),
  /** Why it cannot be edited: too large, or outside the workspace (a file of a library). */
  readOnly: z.string().exactOptional(),
});

export const bufferMethods = {
  'buffer.open': method(
    z.object({ path, as: z.enum(['detected', 'text']).default('detected') }),
    z.discriminatedUnion('kind', [
      /** Lines of `text` are joined by a line feed, however they end on disk. */
      z.object({ kind: z.literal('text'), state: bufferState, text: z.string() }),
      z.object({ kind: z.literal('binary'), bytes: z.number(), format: z.string() }),
      /** Too large to be edited or checked; `file.read` shows it. */
      z.object({ kind: z.literal('large'), bytes: z.number() }),
    ]),
  ),
  /** The back end keeps the buffer while it is unsaved or another page has it open. */
  'buffer.close': method(z.object({ path }), nothing),
  'buffer.push': method(
    z.object({ path, version: z.number().int(), updates: z.array(bufferUpdate).max(1000) }),
    z.object({ kind: z.enum(['accepted', 'behind']), version: z.number().int() }),
  ),
  /** The updates after a version; `text` instead if they are no longer kept. */
  'buffer.pull': method(
    z.object({ path, version: z.number().int() }),
    z.object({ version: z.number().int(), updates: z.array(bufferUpdate), text: z.string().optional() }),
  ),
  /** The focused buffer and selection of this page; `path` absent: none is focused. */
  'buffer.focus': method(
    z.object({
      path: path.optional(),
      anchor: z.number().int().optional(),
      head: z.number().int().optional(),
    }),
    nothing,
  ),
  'buffer.save': method(
    z.object({ paths: z.array(path).min(1), onConflict: z.enum(['refuse', 'overwrite']).default('refuse') }),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('saved'), paths: z.array(path) }),
      /** Nothing was written. */
      z.object({ kind: z.literal('conflict'), paths: z.array(path) }),
    ]),
  ),
  /** Both sides of a conflict, and the text that the unsaved one was made on if it is still known. */
  'buffer.sides': method(
    z.object({ path }),
    z.object({
      mine: z.string(),
      /** Absent: the file was deleted, or is no text any more. */
      disk: z.string().optional(),
      base: z.string().optional(),
    }),
  ),
  /** Forgets unsaved text: the buffer shows the disk again. */
  'buffer.revert': method(z.object({ path }), nothing),
} as const;

export const bufferEvents = [
  /** Changes that any page or the back end made; `version` is that after them. */
  z.object({
    kind: z.literal('buffer.updated'),
    path,
    version: z.number().int(),
    updates: z.array(bufferUpdate),
  }),
  z.object({ kind: z.literal('buffer.state'), state: bufferState }),
  z.object({ kind: z.literal('buffer.closed'), path }),
  /** The file has another name now; text and version stay. */
  z.object({ kind: z.literal('buffer.moved'), from: path, state: bufferState }),
] as const;

export const bufferSnapshot = z.object({ buffers: z.array(bufferState) });
