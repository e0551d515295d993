/**
 * Asks the user before a tool call, unless a mode or a rule has answered already.
 *
 * Invariants: a rule that denies wins over every mode and every rule that allows; plan mode lets nothing pass that
 * does more than read; where nobody can be asked, the answer is no, with the sentence how to allow it.
 */
import type { AnchoredPath } from '../files/path-anchor.ts';
import type { GateDecision, GatedCall, ToolGate } from '../tool-gate.ts';
import { denialOf, hidesPath, isAllowedBy, type PermissionRule, renderRule } from './permission-rule.ts';
import { suggestedRule } from './suggested-rule.ts';

export const permissionModes = ['default', 'acceptEdits', 'plan', 'bypassPermissions'] as const;

export type PermissionMode = (typeof permissionModes)[number];

export interface PermissionOptions {
  readonly mode: PermissionMode;
  readonly allow: readonly PermissionRule[];
  readonly deny: readonly PermissionRule[];
  /** Absent where nobody is there to be asked. */
  readonly ask?: Ask;
  /** Keeps a rule beyond the conversation; absent where there is no place for it. */
  readonly save?: (rule: PermissionRule, signal: AbortSignal) => Promise<void>;
}

export type Ask = (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionDecision>;

export interface PermissionRequest {
  readonly call: GatedCall;
  /** The rule that would let this call and its like pass, for the user to keep or change. */
  readonly suggestion: PermissionRule;
}

export type PermissionDecision =
  | { readonly kind: 'allow' }
  /** Allowed, and from now on whatever the rule covers: in this conversation, or in the project's settings. */
  | {
      readonly kind: 'allow-always';
      readonly rule: PermissionRule;
      readonly scope: 'conversation' | 'project';
    }
  /** `words` are passed on to the model. */
  | { readonly kind: 'deny'; readonly words?: string };

/** What mode and rules say without asking anybody. */
export type RuleDecision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly reason: string }
  | { readonly kind: 'ask' };

export class PermissionGuard implements ToolGate {
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

  /** The rules that allow now, those remembered for this conversation included. */
  get allowed(): readonly PermissionRule[] {
    return this.#allow;
  }

  /** Has every rule that is remembered for the conversation kept before it holds. */
  keepWith(keep: (rule: PermissionRule) => Promise<void>): void {
    this.#keep = keep;
  }

  /** Takes up rules that were remembered earlier. */
  restore(rules: readonly PermissionRule[]): void {
    const known = new Set(this.#allow.map(renderRule));
    this.#allow = [...this.#allow, ...rules.filter((rule) => !known.has(renderRule(rule)))];
  }

  standing(call: GatedCall): RuleDecision {
    const denial = denialOf(this.#options.deny, call);
    if (denial) return { kind: 'deny', reason: `This is forbidden by the rule ${renderRule(denial)}.` };
    if (call.effect === 'reads') return { kind: 'allow' };
    if (this.#mode === 'plan') return { kind: 'deny', reason: planReason };
    if (this.#mode === 'bypassPermissions') return { kind: 'allow' };
    if (this.#mode === 'acceptEdits' && isEdit(call)) return { kind: 'allow' };
    return isAllowedBy(this.#allow, call) ? { kind: 'allow' } : { kind: 'ask' };
  }

  /** Whether the rules keep a file from being looked at. */
  hides(path: AnchoredPath): boolean {
    return hidesPath(this.#options.deny, path);
  }

  async decide(call: GatedCall, signal: AbortSignal): Promise<GateDecision> {
    const standing = this.standing(call);
    if (standing.kind !== 'ask') return standing;
    const suggestion = suggestedRule(call);
    const { ask } = this.#options;
    if (!ask) return { kind: 'deny', reason: unaskedReason(suggestion) };
    const decision = await ask({ call, suggestion }, signal);
    switch (decision.kind) {
      case 'allow':
        return { kind: 'allow' };
      case 'allow-always':
        if (decision.scope === 'project') await this.#options.save?.(decision.rule, signal);
        else await this.#keep?.(decision.rule);
        this.restore([decision.rule]);
        return { kind: 'allow' };
      case 'deny':
        return { kind: 'deny', reason: deniedReason(decision.words) };
    }
  }

  /** The same mode and rules for a fork, which has nobody to ask. */
  fork(): PermissionGuard {
    const { deny } = this.#options;
    return new PermissionGuard({ mode: this.#mode, allow: this.#allow, deny });
  }
}

const planReason =
  'Plan mode is on: nothing may be changed or run yet. Go on reading, and answer with the plan; the user leaves plan mode to have it carried out.';

/** Files that programs take orders from; to write one is to have something run. */
const ordersGiven = /(^|\/)\.(git|forerun|husky|vscode|idea|claude|cursor|githooks)(\/|$)/;

/** Whether a call changes files of the workspace, and none that makes something else happen. */
function isEdit({ effect, subject }: GatedCall): boolean {
  if (effect !== 'overlay' && effect !== 'disk') return false;
  return subject.kind !== 'paths' || !subject.paths.some(({ path }) => ordersGiven.test(path));
}

function unaskedReason(suggestion: PermissionRule): string {
  return `Nobody can be asked for permission here. To allow it, add the rule ${renderRule(suggestion)} to permissions.allow in the settings, or choose another permission mode.`;
}

function deniedReason(words: string | undefined): string {
  const said = words === undefined || words.trim() === '' ? '' : ` The user said: ${words.trim()}`;
  return `The user did not allow this.${said}`;
}
