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

/** Whether writing is forbidden in a phase, or allowed. */
export function writingIn(phase: Phase): 'forbidden' | 'allowed' | 'unmentioned' {
  if (namesTool(phase.forbidden, diskWriter)) return 'forbidden';
  return namesTool(phase.allowed, diskWriter) ? 'allowed' : 'unmentioned';
}

/** The tools by which a phase that forbids writing shows what a write would do. */
export function previewsIn(phase: Phase): readonly string[] {
  return writingIn(phase) === 'forbidden' ? phase.allowed.filter((name) => namesTool(previews, name)) : [];
}

/** Whether the call is one of the previews of its phase; a rename is one as long as it writes nothing. */
export function isPreview(phase: Phase, call: PhasedCall): boolean {
  return call.effect !== 'disk' && namesTool(previewsIn(phase), call.name);
}

/** The tools that show what a change would do without making it. */
const previews = ['preview_edit', 'simulate_*', 'rename_symbol'];

/** The tool that stands for all writing in the lists of a skill. */
const diskWriter = 'apply_edit';
