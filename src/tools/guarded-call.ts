/** A tool call as its guards and the user see it. */
import type { CallSubject } from './call-subject.ts';
import type { Effect } from './tool.ts';

export interface GuardedCall {
  readonly id: string;
  /** The tool's own name, whichever alias it was called by. */
  readonly tool: string;
  /** As the tool's schema has read it. */
  readonly input: Readonly<Record<string, unknown>>;
  /** What this call touches, which may be less than the tool could. */
  readonly effect: Effect;
  readonly subject: CallSubject;
}
