/** Answers as the agents read them: JSON on standard output, from a hook that exits with 0. */
import { exitCodes } from '../../exit-code.ts';
import type { HookAnswer, HookOutcome } from '../hook-event.ts';

export const noAnswer: HookAnswer = { output: '', code: exitCodes.good };

export function jsonAnswer(value: unknown): HookAnswer {
  return { output: `${JSON.stringify(value)}\n`, code: exitCodes.good };
}

/** The text for the agent; undefined if there is none. */
export function noteOf(outcome: HookOutcome): string | undefined {
  switch (outcome.kind) {
    case 'silent':
      return undefined;
    case 'unjudged':
      return outcome.audience === 'agent' ? `Not judged by Forerun: ${outcome.reason}.` : undefined;
    case 'judged':
      return outcome.note;
  }
}

export function isDenied(outcome: HookOutcome): boolean {
  return outcome.kind === 'judged' && outcome.decision === 'deny';
}
