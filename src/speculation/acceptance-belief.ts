/**
 * The probability that a user accepts a suggestion: a Beta posterior with decaying evidence.
 *
 * Invariants: the mean lies strictly between 0 and 1; more acceptances never lower it and more rejections never raise
 * it; without new evidence it returns to the prior; the order of evidence does not matter, only its age.
 */
export interface Evidence {
  readonly at: number;
  readonly kind: 'accepted' | 'rejected';
  /** Its weight when new; default 1. */
  readonly weight?: number;
}

interface Prior {
  /** Pseudo-counts of acceptances and rejections. */
  readonly accepted: number;
  readonly rejected: number;
}

/** Published predictions of a next action are right in a quarter to a half of all cases. */
const cautiousPrior: Prior = { accepted: 2, rejected: 3 };

/** The half-life of an observation. */
const halfLifeMs = 7 * 24 * 60 * 60 * 1000;

export function believedAcceptance(
  evidence: readonly Evidence[],
  now: number,
  prior: Prior = cautiousPrior,
): number {
  let { accepted, rejected } = prior;
  for (const { at, kind, weight: fresh = 1 } of evidence) {
    const weight = fresh * weightAt(at, now);
    if (kind === 'accepted') accepted += weight;
    else rejected += weight;
  }
  return accepted / (accepted + rejected);
}

/** The mean of past values, weighted by age, with a prior that counts as two values. */
export function fadingMean(
  values: readonly { readonly at: number; readonly value: number; readonly weight?: number }[],
  now: number,
  guess: number,
): number {
  let [sum, weights] = [guess * guessWeight, guessWeight];
  for (const { at, value, weight: fresh = 1 } of values) {
    const weight = fresh * weightAt(at, now);
    sum += weight * value;
    weights += weight;
  }
  return sum / weights;
}

const guessWeight = 2;

/** An observation dated in the future, after the clock was set back, counts as new. */
function weightAt(at: number, now: number): number {
  return 0.5 ** (Math.max(0, now - at) / halfLifeMs);
}
