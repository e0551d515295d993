/**
 * Search and replacement across files, on the wire.
 *
 * The back end has one search, the last one that was begun; every page shows it. Matches come in events while it runs.
 * Positions are zero-based lines, ended by line feeds, and UTF-16 characters.
 */
import { z } from 'zod';
import { range } from './code.ts';
import { method, nothing, path } from './method.ts';

const globs = z.array(z.string().min(1).max(400)).max(20).default([]);

export const searchQuery = z.object({
  text: z.string().min(1).max(2000),
  /** `expression`: a regular expression of JavaScript, in which `^` and `$` are the ends of a line. */
  kind: z.enum(['literal', 'expression']).default('literal'),
  isCaseSensitive: z.boolean().default(false),
  isWholeWord: z.boolean().default(false),
  /** Globs; one without a slash matches names in every directory. Empty: all files. */
  include: globs,
  exclude: globs,
});
export type SearchQuery = z.output<typeof searchQuery>;

/** The line of a match, cut around it; `from` and `to` are where the match stands in `text`. */
const shownLine = z.object({ text: z.string(), from: z.number().int(), to: z.number().int() });
export type ShownLine = z.infer<typeof shownLine>;

export const foundMatch = z.object({
  range,
  line: shownLine,
  /** The lines around it; absent at the ends of the file. */
  above: z.string().optional(),
  below: z.string().optional(),
});
export type FoundMatch = z.infer<typeof foundMatch>;

export const foundFile = z.object({ path, matches: z.array(foundMatch) });
export type FoundFile = z.infer<typeof foundFile>;

export const searchHead = z.object({
  /** Grows with every search. */
  id: z.number().int(),
  query: searchQuery,
  state: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('running') }),
    /** Every file was searched, and every match was sent. */
    z.object({ kind: z.literal('complete') }),
    /** There are more matches than are kept. */
    z.object({ kind: z.literal('cut') }),
    z.object({ kind: z.literal('stopped') }),
    z.object({ kind: z.literal('failed'), message: z.string(), remedy: z.string() }),
  ]),
  matches: z.number().int(),
  files: z.number().int(),
  searched: z.number().int(),
  /** Files that were not searched: too large, or not readable. */
  skipped: z.array(path),
  /** Text or files changed since. */
  isOutdated: z.boolean(),
});
export type SearchHead = z.infer<typeof searchHead>;

export const searchMethods = {
  /** Begins a search and ends the one before; the unsaved text of buffers is searched, not what the disk has. */
  'search.run': method(searchQuery, z.object({ id: z.number().int() })),
  'search.stop': method(nothing, nothing),
  /**
   * Works out a replacement of every match in the current text, and makes nothing. `code.apply` makes it, `future.judgePlan`
   * says what it would do. In expressions `$1`, `$<name>` and `$&` stand for what was matched.
   */
  'search.plan': method(
    z.object({ query: searchQuery, replacement: z.string().max(10_000), without: z.array(path).default([]) }),
    z.object({
      plan: z.string(),
      files: z.array(
        z.object({
          path,
          lane: z.enum(['live', 'open', 'closed']),
          places: z.number().int(),
          /** The first ones, each with the text that takes its place. */
          shown: z.array(z.object({ range, line: shownLine, newText: z.string() })),
        }),
      ),
      places: z.number().int(),
      /** Files that were not searched, so that matches in them stay. */
      skipped: z.array(path),
    }),
  ),
} as const;

export const searchEvents = [
  z.object({ kind: z.literal('search.changed'), search: searchHead }),
  z.object({ kind: z.literal('search.found'), id: z.number().int(), files: z.array(foundFile) }),
] as const;

export const searchSnapshot = z.object({
  search: z.object({ head: searchHead, found: z.array(foundFile) }).optional(),
});
