/** A tool call as guards and users see it. */
import type { CallSubject } from './call-subject.ts';
import type { Effect, PreparedCall } from './tool.ts';

export interface GuardedCall {
  readonly id: string;
  /** The tool's name, even if it was called by an alias. */
  readonly tool: string;
  /** The parsed input. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The effect of this call, which may be less than the tool's. */
  readonly effect: Effect;
  readonly subject: CallSubject;
}

/** A prepared call in the form that guards see. */
export async function guardedCall<Context>(
  id: string,
  { tool, input, effect, subject }: PreparedCall<Context>,
  context: Context,
): Promise<GuardedCall> {
  return { id, tool: tool.name, input, effect, subject: await subject(context) };
}
