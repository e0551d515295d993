/**
 * The active skill of a connection, its phase, and the calls since its activation.
 *
 * Invariant: at most one skill is active, and its phase never moves backwards.
 */
import type { Log } from '../base/log.ts';
import { SkillActive, UnknownSkill } from './failure.ts';
import { type EnforcementMode, isViolation, judge, phaseAt } from './judgement.ts';
import { isPreview, type Phase, type PhasedCall, type PhasePlan } from './phase.ts';
import type { Skill } from './skill.ts';
import type { Incident } from './violation-text.ts';

export interface ActiveSkill {
  readonly skill: string;
  readonly plan: PhasePlan;
  readonly mode: EnforcementMode;
  readonly index: number;
  readonly phase: Phase;
  readonly history: readonly string[];
}

export class PhaseTracker {
  readonly #audit: Log;
  #active: Tracked | undefined;

  constructor(log: Log) {
    this.#audit = log.child('audit');
  }

  get active(): ActiveSkill | undefined {
    if (!this.#active) return undefined;
    const { skill, plan, mode, index, history } = this.#active;
    return { skill, plan, mode, index, phase: phaseAt(plan, index), history: [...history] };
  }

  activate(name: string, mode: EnforcementMode, skills: readonly Skill[]): ActiveSkill {
    const plan = skills.find((skill) => skill.name === name)?.plan;
    if (!plan) throw new UnknownSkill(name, enforceable(skills));
    if (this.#active) throw new SkillActive(this.#active.skill);
    this.#active = {
      skill: name,
      plan,
      mode,
      index: 0,
      served: new Set(),
      previewed: new Set(),
      history: [],
    };
    const phase = phaseAt(plan, 0);
    this.#audit.info('activate_skill', { skill: name, mode, phase: phase.name });
    return { skill: name, plan, mode, index: 0, phase, history: [] };
  }

  deactivate(): void {
    if (this.#active) this.#audit.info('deactivate_skill', { skill: this.#active.skill });
    this.#active = undefined;
  }

  /** Records a call; returns its violation, if any. */
  follow(call: PhasedCall): Incident | undefined {
    const active = this.#active;
    if (!active) return undefined;
    active.history.push(call.name);
    const { skill, plan } = active;
    const judgement = judge(plan, active, call);
    if (isViolation(judgement)) {
      const { mode, index, served, previewed } = active;
      const phase = phaseAt(plan, index).name;
      this.#audit.warning('phase_violation', { skill, phase, tool: call.name, mode, kind: judgement.kind });
      return { skill, plan, progress: { mode, index, served, previewed }, call, violation: judgement };
    }
    if (judgement.kind === 'advance') {
      const from = phaseAt(plan, active.index).name;
      active.index = judgement.to;
      this.#audit.info('phase_advance', {
        skill,
        from,
        to: phaseAt(plan, active.index).name,
        tool: call.name,
      });
    }
    if (judgement.kind !== 'outside') active.served.add(active.index);
    if (isPreview(phaseAt(plan, active.index), call)) active.previewed.add(active.index);
    return undefined;
  }
}

/** The names of the skills that can be enforced. */
export function enforceable(skills: readonly Skill[]): readonly string[] {
  return skills.flatMap(({ name, plan }) => (plan ? [name] : [])).sort();
}

interface Tracked {
  readonly skill: string;
  readonly plan: PhasePlan;
  readonly mode: EnforcementMode;
  index: number;
  readonly served: Set<number>;
  readonly previewed: Set<number>;
  readonly history: string[];
}
