/**
 * The phases of an enforced skill, and which calls their lists speak of.
 *
 * Invariant: wherever a list names the tool that stands for writing, it means every call that writes, whatever the
 * tool is called, so that no gate can be passed by a side door.
 */
import type { Effect } from '../tools/tool.ts';

export interface Phase {
  readonly name: string;
  readonly description: string;
  /** Names of tools; one that ends in `*` stands for all that begin like it. */
  readonly allowed: readonly string[];
  readonly forbidden: readonly string[];
  /** Whether strict enforcement lets it be passed over. */
  readonly isOptional: boolean;
}

export interface PhasePlan {
  readonly phases: readonly [Phase, ...Phase[]];
  readonly globallyForbidden: readonly string[];
}

/** A call as the phases see it: the tool's own name and what this call touches. */
export interface PhasedCall {
  readonly name: string;
  readonly effect: Effect;
}

/** Whether a list of names and prefixes speaks of the call. */
export function speaksOf(patterns: readonly string[], call: PhasedCall): boolean {
  return namesTool(patterns, call.name) || (call.effect === 'disk' && namesTool(patterns, diskWriter));
}

export function namesTool(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
}

/** A listed name as the call an agent would make of it. */
export function callOf(name: string): PhasedCall {
  return { name, effect: name === diskWriter ? 'disk' : 'reads' };
}

/** The tool that stands for all writing in the lists of a skill. */
const diskWriter = 'apply_edit';
