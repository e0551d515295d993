/**
 * Asks the user before a tool call, unless the mode or a rule decides.
 *
 * Invariants: a deny rule wins over every mode and allow rule; plan mode allows only calls that read; without a user
 * to ask, the call is denied and the answer names the rule that would allow it.
 */

import type { SubjectPath } from '../../tools/call-subject.ts';
import type { Denial, Guard, GuardDecision, GuardQuestion } from '../../tools/guard.ts';
import type { GuardedCall } from '../../tools/guarded-call.ts';
import type { PermissionAnswer, PermissionRule } from '../../tools/permission-request.ts';
import { denialOf, hidesPath, isAllowedBy, renderRule } from './permission-rule.ts';
import { suggestedRule } from './suggested-rule.ts';

export const permissionModes = ['default', 'acceptEdits', 'plan', 'bypassPermissions'] as const;

export type PermissionMode = (typeof permissionModes)[number];

export interface PermissionOptions {
  readonly mode: PermissionMode;
  readonly allow: readonly PermissionRule[];
  readonly deny: readonly PermissionRule[];
  /**
   * `proposed` where the user decides about every edit before a file has it, so that making one needs no permission;
   * absent: an edit is written at once.
   */
  readonly edits?: 'proposed' | undefined;
  /** Saves a rule beyond the conversation; absent if there is no place for it. */
  readonly save?: (rule: PermissionRule, signal: AbortSignal) => Promise<void>;
}

/** The decision of mode and rules, before the user is asked. */
export type RuleDecision = { readonly kind: 'allow' } | Denial | { readonly kind: 'ask' };

export class PermissionGuard implements Guard {
  readonly #options: PermissionOptions;
  #mode: PermissionMode;
  #allow: readonly PermissionRule[];
  #keep: ((rule: PermissionRule) => Promise<void>) | undefined;

  constructor(options: PermissionOptions) {
    this.#options = options;
    this.#mode = options.mode;
    this.#allow = options.allow;
  }

  get mode(): PermissionMode {
    return this.#mode;
  }

  set mode(mode: PermissionMode) {
    this.#mode = mode;
  }

  /** The current allow rules, including those remembered for this conversation. */
  get allowed(): readonly PermissionRule[] {
    return this.#allow;
  }

  /** Records every rule remembered for the conversation before it takes effect. */
  keepWith(keep: (rule: PermissionRule) => Promise<void>): void {
    this.#keep = keep;
  }

  /** Restores rules that were remembered earlier. */
  restore(rules: readonly PermissionRule[]): void {
    const known = new Set(this.#allow.map(renderRule));
    this.#allow = [...this.#allow, ...rules.filter((rule) => !known.has(renderRule(rule)))];
  }

  standing(call: GuardedCall): RuleDecision {
    const denial = denialOf(this.#options.deny, call);
    if (denial) return { kind: 'deny', reason: `This is denied by the rule ${renderRule(denial)}.` };
    if (call.effect === 'reads') return { kind: 'allow' };
    if (this.#mode === 'plan') return { kind: 'deny', reason: planReason };
    if (this.#mode === 'bypassPermissions') return { kind: 'allow' };
    const isFree = this.#mode === 'acceptEdits' || this.#options.edits === 'proposed';
    if (isFree && isEdit(call)) return { kind: 'allow' };
    return isAllowedBy(this.#allow, call) ? { kind: 'allow' } : { kind: 'ask' };
  }

  /** Whether the rules hide a file from tools. */
  hides(path: SubjectPath): boolean {
    return hidesPath(this.#options.deny, path);
  }

  async decide(call: GuardedCall): Promise<GuardDecision> {
    const standing = this.standing(call);
    return standing.kind === 'ask' ? { kind: 'ask', question: this.#question(call) } : standing;
  }

  #question(call: GuardedCall): GuardQuestion {
    const suggestion = suggestedRule(call);
    return {
      call,
      suggestion,
      settle: async (answer, signal) => {
        if (!answer) return { kind: 'deny', reason: unaskedReason(suggestion) };
        if (answer.kind === 'deny') return { kind: 'deny', reason: deniedReason(answer.words) };
        if (answer.kind === 'allow-always') await this.#remember(answer, signal);
        return { kind: 'allow' };
      },
    };
  }

  async #remember(
    { rule, scope }: PermissionAnswer & { readonly kind: 'allow-always' },
    signal: AbortSignal,
  ): Promise<void> {
    if (scope === 'project') await this.#options.save?.(rule, signal);
    else await this.#keep?.(rule);
    this.restore([rule]);
  }

  /** The same mode and rules for a fork. */
  fork(): PermissionGuard {
    const { deny, edits } = this.#options;
    return new PermissionGuard({ mode: this.#mode, allow: this.#allow, deny, edits });
  }
}

const planReason =
  'Plan mode is on: files cannot be changed and commands cannot be run. Continue reading and answer with a plan; the user leaves plan mode to have it carried out.';

/** Files that configure other programs. Writing one can execute code. */
const ordersGiven = /(^|\/)\.(git|forerun|husky|vscode|idea|claude|cursor|githooks)(\/|$)/;

/** Whether a call changes files of the workspace, and none that configure other programs. */
function isEdit({ effect, subject }: GuardedCall): boolean {
  if (effect !== 'overlay' && effect !== 'disk') return false;
  return subject.kind !== 'paths' || !subject.paths.some(({ path }) => ordersGiven.test(path));
}

function unaskedReason(suggestion: PermissionRule): string {
  return `There is no user here to ask for permission. To allow it, add the rule ${renderRule(suggestion)} to permissions.allow in the settings, or choose another permission mode.`;
}

function deniedReason(words: string | undefined): string {
  const said = words === undefined || words.trim() === '' ? '' : ` The user said: ${words.trim()}`;
  return `The user did not allow this.${said}`;
}
