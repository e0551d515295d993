/** The hooks of Cursor. It wants an object from every hook, and gives notes to the model after a tool only. */
import type { HookDialect } from '../hook-event.ts';
import { isDenied, jsonAnswer, noteOf } from './answer-text.ts';
import { eventDialect } from './event-dialect.ts';

const events = { before: 'preToolUse', after: 'postToolUse', stop: 'stop' } as const;

export const cursorDialect: HookDialect = eventDialect({
  agent: 'Cursor',
  warnsAt: 'after',
  isOwn: ({ hook_event_name, conversation_id, cursor_version }) =>
    typeof cursor_version === 'string' ||
    (typeof conversation_id === 'string' && typeof hook_event_name === 'string'),
  events,
  tools: {
    Write: 'whole',
    Edit: 'passage',
    StrReplace: 'passage',
    MultiEdit: 'passages',
    ApplyPatch: 'patch',
  },
  answers: {
    before(outcome) {
      const note = noteOf(outcome);
      if (isDenied(outcome))
        return jsonAnswer({ permission: 'deny', user_message: note, agent_message: note });
      const isApproved = outcome.kind === 'judged' && outcome.decision === 'approve';
      return jsonAnswer(isApproved ? { permission: 'allow' } : {});
    },
    after(outcome) {
      const note = noteOf(outcome);
      return jsonAnswer(note === undefined ? {} : { additional_context: note });
    },
    stop: (outcome, { isRetry }) =>
      jsonAnswer(isDenied(outcome) && !isRetry ? { followup_message: noteOf(outcome) } : {}),
  },
});
