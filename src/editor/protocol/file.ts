/** Files on the wire: the tree of the workspace, and what can be done to its entries. */
import { z } from 'zod';
import { method, path } from './method.ts';

export const fileEntry = z.object({
  name: z.string(),
  kind: z.enum(['file', 'directory', 'link']),
  /** Left out of searches and checks by the ignore rules. */
  isIgnored: z.boolean(),
  /** A directory that the user made and that holds no file yet: it is not on disk. */
  isPending: z.boolean().optional(),
});

/** The paths that were written; a refused operation is a failure. */
const written = z.object({ paths: z.array(path) });

export const fileMethods = {
  /** The entries of one directory; `''` is the root. */
  'file.list': method(
    z.object({ directory: z.string().max(4096) }),
    z.object({ entries: z.array(fileEntry) }),
  ),
  /** Paths whose characters contain the query in order, best first. */
  'file.find': method(
    z.object({ query: z.string().max(200), limit: z.number().int().positive().max(200).default(50) }),
    z.object({ paths: z.array(path), isComplete: z.boolean() }),
  ),
  /** A part of a file as text, for one that is too large for a buffer; `next` is absent at its end. */
  'file.read': method(
    z.object({
      path,
      offset: z.number().int().nonnegative(),
      bytes: z.number().int().positive().max(4_194_304),
    }),
    z.object({ text: z.string(), next: z.number().optional(), total: z.number() }),
  ),
  'file.create': method(z.object({ path, kind: z.enum(['file', 'directory']) }), written),
  /** Imports that name the file are updated by its language server, in the same commit. */
  'file.rename': method(z.object({ from: path, to: path }), written),
  'file.delete': method(z.object({ path }), written),
} as const;

export const fileEvents = [
  /** Entries of these directories changed on disk. */
  z.object({ kind: z.literal('file.changed'), directories: z.array(z.string()) }),
  /** Files that have another name now, open or not. */
  z.object({ kind: z.literal('file.moved'), moves: z.array(z.object({ from: path, to: path })) }),
] as const;
