/** The exit codes of `forerun whatif`. */
import type { Verdict } from '../../evaluation/evaluation.ts';
import type { RankedPatch } from '../../host/check/alternatives.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';

export function exitCodeOf(verdict: Verdict['kind']): ExitCode {
  if (verdict === 'clean') return exitCodes.good;
  return verdict === 'broken' ? exitCodes.bad : exitCodes.unknown;
}

/** `best`: whether one can be applied. `worst`: whether all can be applied. */
export function exitCodeOfRanking(ranked: readonly RankedPatch[], by: 'best' | 'worst'): ExitCode {
  const codes = ranked.map(({ outcome }) =>
    outcome.kind === 'judged' ? exitCodeOf(outcome.check.verdict.kind) : exitCodes.unknown,
  );
  const [best = exitCodes.unknown] = codes;
  if (by === 'best') return best;
  return [exitCodes.bad, exitCodes.unknown].find((code) => codes.includes(code)) ?? exitCodes.good;
}
