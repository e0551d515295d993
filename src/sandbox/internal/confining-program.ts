/**
 * The programs that confine a command, besides those of util-linux.
 *
 * Invariant: a program that failed its proof is not used again by this process.
 */
import { existsSync } from 'node:fs';
import { filterArchitecture } from './seccomp-filter.ts';

/**
 * `bubblewrap` creates the last namespaces and loads the seccomp filter. Otherwise programs of util-linux create
 * them, and `perl` loads the filter. With `plain` there is no filter.
 */
export type ConfiningProgram = 'bubblewrap' | 'perl' | 'plain';

/** Paths that are also visible inside. */
export const programPaths = { bubblewrap: '/usr/bin/bwrap', perl: '/usr/bin/perl' } as const;

const refused = new Set<ConfiningProgram>();

/** The best program that is installed and did not fail. */
export function confiningProgram(): ConfiningProgram {
  return candidates().find((program) => !refused.has(program)) ?? 'plain';
}

/** Records a failed proof; false if there is nothing left to try. */
export function refuseProgram(program: ConfiningProgram): boolean {
  if (program === 'plain') return false;
  refused.add(program);
  return true;
}

/** The missing part of a confinement; empty if it is complete. */
export function weaknessOf(program: ConfiningProgram): string {
  return program === 'plain'
    ? 'system calls are not filtered and the session keyring is not replaced: neither bubblewrap nor perl can be used'
    : '';
}

function candidates(): readonly ConfiningProgram[] {
  if (filterArchitecture() === undefined) return ['plain'];
  const installed = (['bubblewrap', 'perl'] as const).filter((program) => existsSync(programPaths[program]));
  return [...installed, 'plain'];
}
