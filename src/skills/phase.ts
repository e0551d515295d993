/**
 * The phases of an enforced skill, and the calls that their lists match.
 *
 * Invariant: if a list names the tool that stands for writing, it matches every call that writes, whatever the tool's
 * name, so that no gate can be bypassed.
 */
import type { Effect } from '../tools/tool.ts';

export interface Phase {
  readonly name: string;
  readonly description: string;
  /** Names of tools; one that ends in `*` is a prefix. */
  readonly allowed: readonly string[];
  readonly forbidden: readonly string[];
  /** Whether strict enforcement allows skipping it. */
  readonly isOptional: boolean;
}

export interface PhasePlan {
  readonly phases: readonly [Phase, ...Phase[]];
  readonly globallyForbidden: readonly string[];
}

/** A call in the terms of phases: the tool's own name and the effect of the call. */
export interface PhasedCall {
  readonly name: string;
  readonly effect: Effect;
}

/** Whether a list of names and prefixes matches the call. */
export function speaksOf(patterns: readonly string[], call: PhasedCall): boolean {
  return namesTool(patterns, call.name) || (call.effect === 'disk' && namesTool(patterns, diskWriter));
}

export function namesTool(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
}

/** The call that an agent would make by a listed name. */
export function callOf(name: string): PhasedCall {
  return { name, effect: name === diskWriter ? 'disk' : 'reads' };
}

/** Whether a phase forbids or allows writing. */
export function writingIn(phase: Phase): 'forbidden' | 'allowed' | 'unmentioned' {
  if (namesTool(phase.forbidden, diskWriter)) return 'forbidden';
  return namesTool(phase.allowed, diskWriter) ? 'allowed' : 'unmentioned';
}

/** The tools with which a phase that forbids writing previews a write. */
export function previewsIn(phase: Phase): readonly string[] {
  return writingIn(phase) === 'forbidden' ? phase.allowed.filter((name) => namesTool(previews, name)) : [];
}

/** Whether the call is a preview of its phase; a rename is one if it writes nothing. */
export function isPreview(phase: Phase, call: PhasedCall): boolean {
  return call.effect !== 'disk' && namesTool(previewsIn(phase), call.name);
}

/** The tools that show the effect of a change without making it. */
const previews = ['preview_edit', 'simulate_*', 'rename_symbol'];

/** The tool that stands for all writing in the lists of a skill. */
const diskWriter = 'apply_edit';
