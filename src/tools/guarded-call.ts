/** A tool call as its guards and the user see it. */
import type { CallSubject } from './call-subject.ts';
import type { Effect, PreparedCall } from './tool.ts';

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

/** A prepared call as guards see it. */
export async function guardedCall<Context>(
  id: string,
  { tool, input, effect, subject }: PreparedCall<Context>,
  context: Context,
): Promise<GuardedCall> {
  return { id, tool: tool.name, input, effect, subject: await subject(context) };
}
