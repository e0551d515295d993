/** What the plugin asks that `forerun init --hooks` writes for opencode. The plugin carries out the answer. */
import { z } from 'zod';
import type { HookDialect, HookEvent } from '../hook-event.ts';
import { isDenied, jsonAnswer, noteOf } from './answer-text.ts';
import { type EditForm, editedFiles } from './tool-call.ts';

const payload = z.object({
  agent: z.literal('opencode'),
  event: z.string(),
  session: z.string().optional(),
  directory: z.string(),
  tool: z.string().optional(),
  args: z.unknown().optional(),
  isRetry: z.boolean().optional(),
});

const tools: Readonly<Record<string, EditForm>> = {
  edit: 'passage',
  multiedit: 'passages',
  write: 'whole',
  apply_patch: 'patch',
  patch: 'patch',
};

export const opencodeDialect: HookDialect = {
  agent: 'opencode',
  warnsAt: 'before',
  parse(given) {
    const read = payload.safeParse(given);
    return read.success ? eventOf(read.data) : undefined;
  },
  answer(_event, outcome) {
    const note = noteOf(outcome);
    return jsonAnswer({
      decision: isDenied(outcome) ? 'deny' : 'allow',
      ...(note !== undefined && { note }),
    });
  },
};

function eventOf({
  event,
  session,
  directory,
  tool = '',
  args,
  isRetry,
}: z.infer<typeof payload>): HookEvent {
  if (event === 'stop') return { kind: 'stop', session, directory, isRetry: isRetry === true };
  if (event !== 'before') return { kind: 'unknown', what: `the event ${event} of opencode` };
  const form = tools[tool];
  if (form === undefined) return { kind: 'irrelevant' };
  const files = editedFiles(form, { input: args }, directory);
  if (files === undefined) return { kind: 'unknown', what: `the input of ${tool} of opencode` };
  return { kind: 'edit', when: 'before', files, session, directory };
}
