/** The call that work was stopped before. */
import { unreachable } from '../base/unreachable.ts';
import type { GuardedCall } from './guarded-call.ts';

export interface CallBoundary {
  readonly kind: 'edit' | 'bash' | 'denied_tool';
  readonly tool: string;
  /** What it was about: the files, the command or the tool. */
  readonly detail: string;
}

/** The boundary at a call that a guard halted, by what the call would have touched. */
export function boundaryAt({ tool, effect }: GuardedCall, detail: string): CallBoundary {
  switch (effect) {
    case 'overlay':
      return { kind: 'edit', tool, detail };
    case 'process':
      return { kind: 'bash', tool, detail };
    case 'reads':
    case 'disk':
    case 'network':
      return { kind: 'denied_tool', tool, detail };
    default:
      return unreachable(effect);
  }
}
