/** The hooks of Gemini CLI. Before a tool only a refusal reaches the model, so notes are given after it. */
import type { HookDialect } from '../hook-event.ts';
import { isDenied, jsonAnswer, noAnswer, noteOf } from './answer-text.ts';
import { eventDialect } from './event-dialect.ts';

const events = { before: 'BeforeTool', after: 'AfterTool', stop: 'AfterAgent' } as const;

/** Its other events, by which a payload is known as one of its own. */
const others = ['BeforeAgent', 'BeforeModel', 'AfterModel', 'BeforeToolSelection', 'PreCompress'];

export const geminiDialect: HookDialect = eventDialect({
  agent: 'Gemini CLI',
  warnsAt: 'after',
  isOwn: ({ hook_event_name }) => [...Object.values<unknown>(events), ...others].includes(hook_event_name),
  events,
  tools: { replace: 'passage', edit: 'passage', write_file: 'whole' },
  answers: {
    before: (outcome) =>
      isDenied(outcome) ? jsonAnswer({ decision: 'deny', reason: noteOf(outcome) }) : noAnswer,
    after(outcome) {
      const additionalContext = noteOf(outcome);
      if (additionalContext === undefined) return noAnswer;
      return jsonAnswer({ hookSpecificOutput: { hookEventName: events.after, additionalContext } });
    },
    stop(outcome, { isRetry }) {
      const note = noteOf(outcome);
      if (note === undefined || (outcome.kind === 'judged' && outcome.verdict === 'clean')) return noAnswer;
      if (!isDenied(outcome) || isRetry) return jsonAnswer({ systemMessage: note });
      return jsonAnswer({ decision: 'deny', reason: note });
    },
  },
});
