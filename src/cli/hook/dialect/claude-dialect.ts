/** The hooks of Claude Code, and those of Qwen Code and Codex, which took over their form. */
import type { HookAnswer, HookDialect, HookOutcome } from '../hook-event.ts';
import { isDenied, jsonAnswer, noAnswer, noteOf } from './answer-text.ts';
import { type EventDialect, eventDialect } from './event-dialect.ts';

const events = { before: 'PreToolUse', after: 'PostToolUse', stop: 'Stop' } as const;

type Approval = 'can approve' | 'cannot approve';

function answersFor(approval: Approval): EventDialect['answers'] {
  return {
    before: (outcome) => beforeAnswer(outcome, approval),
    after: (outcome) => contextAnswer(events.after, noteOf(outcome)),
    stop(outcome, { isRetry }) {
      const note = noteOf(outcome);
      if (note === undefined || (outcome.kind === 'judged' && outcome.verdict === 'clean')) return noAnswer;
      // The agent was sent back once; now the user decides.
      if (!isDenied(outcome) || isRetry) return jsonAnswer({ systemMessage: note });
      return jsonAnswer({ decision: 'block', reason: note });
    },
  };
}

function beforeAnswer(outcome: HookOutcome, approval: Approval): HookAnswer {
  const decision = outcome.kind === 'judged' ? outcome.decision : 'none';
  const isApproved = decision === 'approve' && approval === 'can approve';
  if (decision !== 'deny' && !isApproved) return contextAnswer(events.before, noteOf(outcome));
  const hookSpecificOutput = {
    hookEventName: events.before,
    permissionDecision: decision === 'deny' ? 'deny' : 'allow',
    permissionDecisionReason: noteOf(outcome),
  };
  return jsonAnswer({ hookSpecificOutput });
}

function contextAnswer(hookEventName: string, additionalContext: string | undefined): HookAnswer {
  if (additionalContext === undefined) return noAnswer;
  return jsonAnswer({ hookSpecificOutput: { hookEventName, additionalContext } });
}

/** Every payload with events of this form that is of no other agent. */
export const claudeDialect: HookDialect = eventDialect({
  agent: 'Claude Code',
  warnsAt: 'before',
  isOwn: ({ hook_event_name }) => typeof hook_event_name === 'string' && /^[A-Z]/.test(hook_event_name),
  events,
  tools: { Edit: 'passage', MultiEdit: 'passages', Write: 'whole' },
  answers: answersFor('can approve'),
});

/** Its payloads have a time, and its tools names of their own. It keeps notes before an edit from its model. */
export const qwenDialect: HookDialect = eventDialect({
  agent: 'Qwen Code',
  warnsAt: 'after',
  isOwn: ({ hook_event_name, timestamp, prompt_id }) =>
    typeof timestamp === 'string' &&
    (typeof prompt_id === 'string' || Object.values<unknown>(events).includes(hook_event_name)),
  events,
  tools: { edit: 'passage', replace: 'passage', write_file: 'whole' },
  answers: answersFor('can approve'),
});

/** Its payloads name the turn. It takes approvals from nowhere but its user. */
export const codexDialect: HookDialect = eventDialect({
  agent: 'Codex',
  warnsAt: 'before',
  isOwn: ({ turn_id }) => typeof turn_id === 'string',
  events,
  tools: { apply_patch: 'patch', Edit: 'patch', Write: 'patch' },
  answers: answersFor('cannot approve'),
});
