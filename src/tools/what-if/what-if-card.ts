/**
 * A change as the card `ui://forerun/what-if` shows it in the chat of a client.
 *
 * Invariant: plain data, read with `readCard` on the other side. Lists are cut to what a card can show; counts are
 * whole. The text that every client gets does not depend on it.
 */
import * as z from 'zod/mini';

const findingSchema = z.object({
  path: z.string(),
  /** From 1. */
  line: z.number(),
  column: z.number(),
  message: z.string(),
  code: z.string(),
});

const lineSchema = z.object({
  kind: z.enum(['context', 'removed', 'added', 'gap']),
  /** From 1; 0 in a gap. */
  number: z.number(),
  text: z.string(),
});

const fileSchema = z.object({
  path: z.string(),
  kind: z.enum(['created', 'modified', 'deleted', 'renamed']),
  added: z.number(),
  removed: z.number(),
  lines: z.array(lineSchema),
  /** Lines that were left out. */
  more: z.number(),
});

const commandSchema = z.object({ command: z.string(), passed: z.boolean(), detail: z.string() });

const changeSchema = z.object({
  title: z.string(),
  /** Absent: the change is kept nowhere. */
  sessionId: z.optional(z.string()),
  workspaceRoot: z.string(),
  language: z.string(),
  verdict: z.enum(['clean', 'broken', 'unknown']),
  /** Files with new errors. */
  brokenFiles: z.number(),
  introducedErrors: z.number(),
  resolved: z.number(),
  isProved: z.boolean(),
  /** Why it is not proved, shortened. */
  doubt: z.string(),
  scope: z.enum(['file', 'workspace']),
  checkedFiles: z.number(),
  findings: z.array(findingSchema),
  moreFindings: z.number(),
  commands: z.array(commandSchema),
  files: z.array(fileSchema),
});

const cardSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('change'), change: changeSchema }),
  z.object({
    kind: z.literal('ranked'),
    ways: z.array(z.object({ rank: z.number(), reason: z.string(), change: changeSchema })),
  }),
  z.object({ kind: z.literal('committed'), title: z.string(), paths: z.array(z.string()) }),
]);

export type CardLine = z.infer<typeof lineSchema>;
export type CardFile = z.infer<typeof fileSchema>;
export type CardChange = z.infer<typeof changeSchema>;
export type WhatIfCard = z.infer<typeof cardSchema>;

/** Where the card stands in the `_meta` of a tool's result. */
export const cardKey = 'forerun/what-if';

/** The resource that shows it. */
export const cardUri = 'ui://forerun/what-if';

export function readCard(value: unknown): WhatIfCard | undefined {
  return cardSchema.safeParse(value).data;
}
