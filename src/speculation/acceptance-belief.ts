/**
 * How likely a user is to accept, learned from what they did: a Beta posterior whose evidence fades.
 *
 * Invariants: the mean lies strictly between 0 and 1; more acceptances never lower it and more rejections never raise
 * it; without fresh evidence it returns to what was believed at the start; in which order evidence came does not
 * matter, only when.
 */
export interface Evidence {
  readonly at: number;
  readonly kind: 'accepted' | 'rejected';
  /** How much it counts when it is fresh; default 1. */
  readonly weight?: number;
}

interface Prior {
  /** As many acceptances and rejections as if they had been seen. */
  readonly accepted: number;
  readonly rejected: number;
}

/** Published predictions of a next action are right in a quarter to a half of all cases. */
const cautiousPrior: Prior = { accepted: 2, rejected: 3 };

/** After this long an observation counts half. */
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

/** The mean of past values, newer ones counting more, with a first guess that counts as two of them. */
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

/** What is dated in the future, by a clock set back, counts as now. */
function weightAt(at: number, now: number): number {
  return 0.5 ** (Math.max(0, now - at) / halfLifeMs);
}
