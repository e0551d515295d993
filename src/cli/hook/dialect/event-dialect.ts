/**
 * The dialects of agents that announce events by `hook_event_name`, as data: the names of their events and tools, and how
 * each event is answered.
 */
import { z } from 'zod';
import type { HookAnswer, HookDialect, HookEvent, HookOutcome, Payload } from '../hook-event.ts';
import { type EditForm, editedFiles } from './tool-call.ts';

export interface EventDialect extends Pick<HookDialect, 'agent' | 'warnsAt'> {
  /** Whether a payload is of this dialect. */
  readonly isOwn: (payload: Payload) => boolean;
  /** Its names of the three moments. */
  readonly events: { readonly before: string; readonly after: string; readonly stop: string };
  readonly tools: Readonly<Record<string, EditForm>>;
  readonly answers: {
    before(outcome: HookOutcome): HookAnswer;
    after(outcome: HookOutcome): HookAnswer;
    stop(outcome: HookOutcome, event: HookEvent & { readonly kind: 'stop' }): HookAnswer;
  };
}

const fields = z.object({
  hook_event_name: z.string(),
  session_id: z.string().optional(),
  conversation_id: z.string().optional(),
  cwd: z.string().optional(),
  workspace_roots: z.array(z.string()).optional(),
  tool_name: z.string().optional(),
  tool_input: z.unknown().optional(),
  tool_response: z.unknown().optional(),
  stop_hook_active: z.boolean().optional(),
  loop_count: z.number().optional(),
});

export function eventDialect(definition: EventDialect): HookDialect {
  const { agent, warnsAt, answers } = definition;
  return {
    agent,
    warnsAt,
    parse: (payload, directory) => parse(definition, payload, directory),
    answer(event, outcome) {
      if (event.kind === 'stop') return answers.stop(outcome, event);
      const isAfter = event.kind === 'edit' && event.when === 'after';
      return isAfter ? answers.after(outcome) : answers.before(outcome);
    },
  };
}

function parse(
  { agent, isOwn, events, tools }: EventDialect,
  payload: Payload,
  directory: string,
): HookEvent | undefined {
  const read = fields.safeParse(payload);
  if (!read.success || !isOwn(payload)) return undefined;
  const { data } = read;
  const name = data.hook_event_name;
  const place = {
    session: data.session_id ?? data.conversation_id,
    directory: data.cwd ?? data.workspace_roots?.[0] ?? directory,
  };
  if (name === events.stop) {
    const isRetry = data.stop_hook_active === true || (data.loop_count ?? 0) > 0;
    return { kind: 'stop', ...place, isRetry };
  }
  if (name !== events.before && name !== events.after) {
    return { kind: 'unknown', what: `the event ${name} of ${agent}` };
  }
  const form = tools[data.tool_name ?? ''];
  if (form === undefined) return { kind: 'irrelevant' };
  const call = { input: data.tool_input, response: data.tool_response };
  const files = editedFiles(form, call, place.directory);
  if (files === undefined) return { kind: 'unknown', what: `the input of ${data.tool_name} of ${agent}` };
  return { kind: 'edit', when: name === events.before ? 'before' : 'after', files, ...place };
}
