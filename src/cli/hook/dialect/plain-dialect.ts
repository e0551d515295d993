/** One edit as a plain object, for programs without hooks of their own; the exit code tells the decision too. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { exitCodes } from '../../exit-code.ts';
import type { HookDialect } from '../hook-event.ts';
import { isDenied } from './answer-text.ts';
import { passageOf, plainPassage } from './tool-call.ts';

const plainEvent = z.object({
  file_path: z.string().min(1),
  content: z.string().optional(),
  edits: z.array(plainPassage).min(1).optional(),
});

export const plainEditDialect: HookDialect = {
  agent: 'a program',
  warnsAt: 'before',
  parse(payload, directory) {
    const read = plainEvent.safeParse(payload);
    if (!read.success) return undefined;
    const { file_path: given, content, edits } = read.data;
    if (content === undefined && edits === undefined) {
      return { kind: 'unknown', what: 'an event with neither new content nor an edit' };
    }
    const change =
      content === undefined
        ? ({ kind: 'passages', passages: (edits ?? []).map(passageOf) } as const)
        : ({ kind: 'whole', text: content } as const);
    const files = [{ filePath: resolve(directory, given), given, change }];
    return { kind: 'edit', when: 'before', files, session: undefined, directory };
  },
  answer(_event, outcome) {
    const errors = outcome.kind === 'judged' ? outcome.errors : [];
    const report = {
      decision: isDenied(outcome) ? 'deny' : 'allow',
      verdict: outcome.kind === 'judged' ? outcome.verdict : 'unknown',
      ...(outcome.kind === 'judged' && { reason: outcome.note }),
      ...(outcome.kind === 'unjudged' && { reason: outcome.reason }),
      errors: errors.map(({ file, diagnostic: { range, message, code } }) => ({
        file,
        line: range.start.line + 1,
        column: range.start.character + 1,
        message,
        ...(code !== undefined && { code }),
      })),
      ...(outcome.kind === 'judged' && { duration_ms: Math.round(outcome.durationMs) }),
      ...(outcome.kind === 'judged' && outcome.untrusted && { untrusted: outcome.untrusted }),
    };
    return {
      output: `${JSON.stringify(report)}\n`,
      code: isDenied(outcome) ? exitCodes.bad : exitCodes.good,
    };
  },
};
