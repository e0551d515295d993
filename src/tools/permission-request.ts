/** The question whether a call may be made, as a front end puts it to the user. */
import type { GuardedCall } from './guarded-call.ts';

/** A rule that allows or denies calls ahead of time, such as `Bash(npm test:*)`. */
export interface PermissionRule {
  /** The name of a tool, or of the one that stands for its kind: `Edit` is every edit, `Read` every look at files. */
  readonly tool: string;
  /** What the call must be about; absent: anything. */
  readonly pattern?: string;
}

export interface PermissionRequest {
  readonly call: GuardedCall;
  /** The rule that would let this call and its like pass, for the user to keep or change. */
  readonly suggestion: PermissionRule;
}

export type PermissionAnswer =
  | { readonly kind: 'allow' }
  /** Allowed, and from now on whatever the rule covers: in this conversation, or in the project's settings. */
  | {
      readonly kind: 'allow-always';
      readonly rule: PermissionRule;
      readonly scope: 'conversation' | 'project';
    }
  /** `words` are passed on to the model. */
  | { readonly kind: 'deny'; readonly words?: string };

export type Ask = (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>;
