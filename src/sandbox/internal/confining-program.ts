/**
 * The programs that confine a command, beyond those of util-linux.
 *
 * Invariant: a program that failed its proof is not used again by this process.
 */
import { existsSync } from 'node:fs';
import { filterArchitecture } from './seccomp-filter.ts';

/**
 * `bubblewrap` makes the last namespaces and loads the filter of system calls; otherwise programs of util-linux make
 * them, and `perl` loads the filter. With `plain` there is no filter.
 */
export type ConfiningProgram = 'bubblewrap' | 'perl' | 'plain';

/** Where they must lie to be seen from inside as well. */
export const programPaths = { bubblewrap: '/usr/bin/bwrap', perl: '/usr/bin/perl' } as const;

const refused = new Set<ConfiningProgram>();

/** The best that is installed and was not refused. */
export function confiningProgram(): ConfiningProgram {
  return candidates().find((program) => !refused.has(program)) ?? 'plain';
}

/** Takes note of a failed proof; false when there is nothing left to try. */
export function refuseProgram(program: ConfiningProgram): boolean {
  if (program === 'plain') return false;
  refused.add(program);
  return true;
}

/** What a confinement lacks; empty when it is whole. */
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
