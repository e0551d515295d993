/** The call at which work was stopped. */
import { unreachable } from '../base/unreachable.ts';
import type { GuardedCall } from './guarded-call.ts';

export interface CallBoundary {
  readonly kind: 'edit' | 'bash' | 'denied_tool';
  readonly tool: string;
  /** The files, the command or the tool of the call. */
  readonly detail: string;
}

/** The boundary for a call that a guard halted, by the call's effect. */
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
