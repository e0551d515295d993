/** The largest set of sides of which every two agree. */

/** Past this many, the search is replaced by one pass that keeps whatever agrees with what was kept. */
const mostSearched = 20;

/** `agrees` is asked with the smaller index first. The answer is in the given order; of equal sets the first is taken. */
export function largestAgreement(
  sides: readonly number[],
  agrees: (one: number, other: number) => boolean,
): readonly number[] {
  if (sides.length > mostSearched) return firstAgreement(sides, agrees);
  let best: readonly number[] = [];
  const extend = (kept: readonly number[], rest: readonly number[]): void => {
    if (kept.length > best.length) best = kept;
    for (const [index, side] of rest.entries()) {
      if (kept.length + rest.length - index <= best.length) return;
      const further = rest.slice(index + 1).filter((other) => agrees(side, other));
      extend([...kept, side], further);
    }
  };
  extend([], sides);
  return best;
}

function firstAgreement(
  sides: readonly number[],
  agrees: (one: number, other: number) => boolean,
): readonly number[] {
  const kept: number[] = [];
  for (const side of sides) if (kept.every((other) => agrees(other, side))) kept.push(side);
  return kept;
}
