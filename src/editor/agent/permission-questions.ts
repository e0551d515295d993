/**
 * The permission that the agent waits for.
 *
 * Invariant: a question stays until it is answered or its turn is stopped, whatever pages come and go.
 */
import { randomUUID } from 'node:crypto';
import { renderRule } from '../../agent/permission/permission-rule.ts';
import { Channel } from '../../base/channel.ts';
import { onAbort } from '../../base/deadline.ts';
import { Failure } from '../../base/failure.ts';
import type { Ask, PermissionAnswer, PermissionRequest } from '../../tools/permission-request.ts';
import type { AgentQuestion } from '../protocol/agent.ts';

export class PermissionQuestions {
  /** Emits when a question was asked or is over. */
  readonly changed = new Channel<void>();
  readonly #place: () => CommandSite;
  #waiting: WaitingQuestion | undefined;

  /** `place` says where a command would run now. */
  constructor(place: () => CommandSite) {
    this.#place = place;
  }

  get current(): AgentQuestion | undefined {
    return this.#waiting?.shown;
  }

  readonly ask: Ask = (request, signal) =>
    new Promise<PermissionAnswer>((resolve, reject) => {
      const shown = shownQuestion(request, this.#place());
      const forget = onAbort(signal, () => {
        this.#over(shown.id);
        reject(signal.reason);
      });
      const settle = (answer: PermissionAnswer): void => {
        forget();
        this.#over(shown.id);
        resolve(answer);
      };
      this.#waiting = { shown, request, settle };
      this.changed.emit();
      if (signal.aborted) {
        this.#over(shown.id);
        reject(signal.reason);
      }
    });

  answer(id: string, answer: 'once' | 'always' | 'no', words: string | undefined): void {
    const waiting = this.#waiting;
    if (waiting?.shown.id !== id) throw new QuestionOver();
    const { request, settle } = waiting;
    if (answer === 'once') settle({ kind: 'allow' });
    else if (answer === 'no') settle({ kind: 'deny', ...(words !== undefined && { words }) });
    else settle({ kind: 'allow-always', rule: request.suggestion, scope: 'conversation' });
  }

  #over(id: string): void {
    if (this.#waiting?.shown.id !== id) return;
    this.#waiting = undefined;
    this.changed.emit();
  }
}

interface WaitingQuestion {
  readonly shown: AgentQuestion;
  readonly request: PermissionRequest;
  readonly settle: (answer: PermissionAnswer) => void;
}

class QuestionOver extends Failure {
  readonly code = 'editor/question-over';
  readonly remedy = 'Nothing is to be done: it was answered elsewhere, or its turn was stopped.';

  constructor() {
    super('this question is no longer open');
  }
}

/** On the files, or in a sandbox that shows text that is not on disk. */
export type CommandSite = 'disk' | 'sandbox';

const scopes: Readonly<Record<CommandSite, string>> = {
  disk: 'Runs in a shell in this workspace, on the files on disk, with your rights.',
  sandbox: 'Runs in the sandbox, on your unsaved text with the proposal. The disk stays as it is.',
};

function shownQuestion({ call, suggestion }: PermissionRequest, place: CommandSite): AgentQuestion {
  const { tool, subject, input } = call;
  const rule = renderRule(suggestion);
  const id = randomUUID();
  switch (subject.kind) {
    case 'command':
      return {
        id,
        tool,
        title: 'Run this command?',
        subject: subject.command,
        scope: scopes[place],
        rule,
      };
    case 'paths':
      return {
        id,
        tool,
        title: `${tool} ${subject.paths.map(({ shown }) => shown).join(', ')}?`,
        subject: JSON.stringify(input, undefined, 2),
        scope: 'Programs take orders from this file, so it is asked about in every mode.',
        rule,
      };
    case 'none':
      return { id, tool, title: `${tool}?`, subject: JSON.stringify(input, undefined, 2), scope: '', rule };
  }
}
