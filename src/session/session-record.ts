/**
 * The stored form of a session, and its parser.
 *
 * Invariant: a record matches its schema, or it is not a record. A session has ended if and only if a complete line
 * of its outcome file says so.
 */
import { z } from 'zod';
import type { Brand } from '../base/brand.ts';
import { isLiving, ownMark, ownProcessSpace } from '../process/living-process.ts';
import { languageId } from '../servers/language.ts';
import type { TextEdit } from '../text/text-edit.ts';
import { parseWorkspacePath, type WorkspacePath } from '../workspace/workspace-path.ts';
import { detailsShape } from './session-details.ts';

export type SessionId = Brand<string, 'SessionId'>;

/** One edit as it was made; a patch or a file operation has no range. */
export interface EditRecord {
  readonly path: WorkspacePath;
  readonly edit?: TextEdit;
  readonly version: number;
}

/** How a session ended. */
export type SessionEnd = 'committed' | 'discarded';

export type SessionRecord = z.infer<typeof recordSchema>;

/** A record with the content of its outcome file. */
export interface StoredSession extends SessionRecord {
  readonly end: SessionEnd | undefined;
  /** When it ended; absent while it has not. */
  readonly endedAt?: number | undefined;
}

export type SessionOwner = SessionRecord['owner'];

/** This process as the owner of a session; `holder` distinguishes two connections of one process. */
export function ownedHere(holder: string): SessionOwner {
  return { ...ownMark(), place: ownProcessSpace(), holder };
}

/**
 * Whether another living process owns the session. A process of another machine or container cannot be checked from
 * here.
 */
export function isOwnedElsewhere({ owner }: SessionRecord): boolean {
  return owner.place === ownProcessSpace() && owner.pid !== process.pid && isLiving(owner);
}

export function parseRecord(text: string): SessionRecord {
  return recordSchema.parse(JSON.parse(text));
}

export function printOutcome(end: SessionEnd, mark: string): string {
  return `${JSON.stringify({ end, mark, at: Date.now() })}\n`;
}

/** The last outcome in complete lines of the file; a line that was cut short is ignored. */
export function parseOutcomes(text: string): Pick<StoredSession, 'end' | 'endedAt'> {
  const line = wholeLines(text).trimEnd().split('\n').at(-1);
  if (!line) return { end: undefined };
  const { end, at } = outcomeSchema.parse(JSON.parse(line));
  return { end, endedAt: at };
}

export function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

const position = z.object({ line: z.number().int(), character: z.number().int() });

const editSchema = z
  .object({
    path: z.string().transform((path, context) => {
      const parsed = parseWorkspacePath(path);
      if (parsed !== undefined) return parsed;
      context.addIssue('no path in a workspace');
      return z.NEVER;
    }),
    edit: z.object({ range: z.object({ start: position, end: position }), newText: z.string() }).optional(),
    version: z.number().int(),
  })
  .transform(({ path, edit, version }): EditRecord => ({ path, ...(edit && { edit }), version }));

const recordSchema = z
  .object({
    version: z.literal(2),
    // It becomes part of a path, so it must be a plain name.
    id: z.uuid().transform((id) => id as SessionId),
    workspaceRoot: z.string().min(1),
    language: z.string().min(1).transform(languageId),
    createdAt: z.number(),
    state: z.enum(['created', 'mutated', 'evaluating', 'evaluated', 'dirty']),
    /** Grows with every change of the record. */
    revision: z.number().int().positive(),
    edits: z.array(editSchema).readonly(),
    owner: z
      .object({
        pid: z.number().int().positive(),
        started: z.string(),
        place: z.string(),
        holder: z.string(),
      })
      .readonly(),
    ...detailsShape,
  })
  .readonly();

const outcomeSchema = z.object({
  end: z.enum(['committed', 'discarded']),
  mark: z.string(),
  at: z.number().optional(),
});
