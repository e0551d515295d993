/**
 * Parameter types shared by the tools, so that the same thing has the same rules and words everywhere.
 *
 * Invariant: wire names are those of the published contract; nothing here is optional by default.
 */
import { z } from 'zod';

/** A required string; an empty one counts as missing. */
export function word(description: string): z.ZodString {
  return z.string().min(1).describe(description);
}

/** A string that may be empty, such as a replacement. */
export function text(description: string): z.ZodString {
  return z.string().describe(description);
}

export function whole(description: string): z.ZodNumber {
  return z.number().describe(description);
}

export function flag(description: string): z.ZodBoolean {
  return z.boolean().describe(description);
}

export const filePath: z.ZodString = word('Absolute path of the file.');

export const sessionId: z.ZodString = word('The session id returned by create_simulation_session.');

export const scope: z.ZodOptional<z.ZodEnum<{ file: 'file'; workspace: 'workspace' }>> = z
  .enum(['file', 'workspace'])
  .describe('file (default): the edited files. workspace: also every file the edits can reach.')
  .optional();

/** The scope for tools whose answer decides whether an edit is written. */
export const wideScope: typeof scope = z
  .enum(['file', 'workspace'])
  .describe(
    'workspace (default): the edited files and every file the edits can reach. file: the edited files only.',
  )
  .optional();

export const timeoutMs: z.ZodOptional<z.ZodNumber> = whole(
  'Milliseconds to wait for diagnostics; 0 or absent: 3000 for file scope, 8000 for workspace scope.',
).optional();

/** A one-based position in a file. */
const humanPosition = z.object({
  line: whole('Line, from 1.'),
  column: whole('Column in UTF-16 units, from 1.'),
});

/** A range in a file, as four numbers or as one object. */
export const humanRange = {
  start_line: whole('First line, from 1. Required unless range is given.').optional(),
  start_column: whole('First column, from 1. Required unless range is given.').optional(),
  end_line: whole('Last line, from 1. Required unless range is given.').optional(),
  end_column: whole(
    'Column just past the last replaced character, from 1. Required unless range is given.',
  ).optional(),
  range: z
    .object({ start: humanPosition, end: humanPosition })
    .describe('Instead of the four numbers: {start:{line,column},end:{line,column}}, from 1.')
    .optional(),
};

/** The timeout of the call in milliseconds; undefined for the default of the scope. */
export function askedTimeout(milliseconds: number | undefined): number | undefined {
  return milliseconds !== undefined && milliseconds > 0 ? milliseconds : undefined;
}
