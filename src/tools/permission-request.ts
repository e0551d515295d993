/** The question whether a call is allowed, as a front end shows it to the user. */
import type { GuardedCall } from './guarded-call.ts';

/** A rule that allows or denies calls, such as `Bash(npm test:*)`. */
export interface PermissionRule {
  /** The name of a tool, or of its kind: `Edit` covers every edit, `Read` every tool that reads files. */
  readonly tool: string;
  /** The subject the call must have; absent: any. */
  readonly pattern?: string;
}

export interface PermissionRequest {
  readonly call: GuardedCall;
  /** The rule that would allow this call and similar ones, which the user can save or change. */
  readonly suggestion: PermissionRule;
}

export type PermissionAnswer =
  | { readonly kind: 'allow' }
  /** Allowed, together with all calls the rule covers: in this conversation, or in the project's settings. */
  | {
      readonly kind: 'allow-always';
      readonly rule: PermissionRule;
      readonly scope: 'conversation' | 'project';
    }
  /** `words` are passed on to the model. */
  | { readonly kind: 'deny'; readonly words?: string };

export type Ask = (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>;
