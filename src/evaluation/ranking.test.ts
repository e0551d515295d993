import { expect, test } from 'vitest';
import { type Merit, rankBy } from './ranking.ts';

function merit(parts: Partial<Merit>): Merit {
  return { verdict: 'clean', introducedErrors: 0, resolved: 0, lines: { added: 1, removed: 1 }, ...parts };
}

const lines = (added: number) => ({ added, removed: 0 });

test.each<[string, Readonly<Record<string, Merit | undefined>>, readonly [string, number][]]>([
  [
    'clean before unknown before broken, whatever they resolve; what could not be judged comes last',
    {
      failed: undefined,
      broken: merit({ verdict: 'broken', introducedErrors: 1, resolved: 9 }),
      unknown: merit({ verdict: 'unknown', resolved: 3 }),
      clean: merit({ lines: lines(99) }),
    },
    [
      ['clean', 1],
      ['unknown', 2],
      ['broken', 3],
      ['failed', 4],
    ],
  ],
  [
    'of broken ones fewer introduced errors, even where the other resolves more',
    {
      two: merit({ verdict: 'broken', introducedErrors: 2, resolved: 5 }),
      one: merit({ verdict: 'broken', introducedErrors: 1 }),
    },
    [
      ['one', 1],
      ['two', 2],
    ],
  ],
  [
    'then what resolves more, then the smaller change, and equals share a rank',
    {
      wide: merit({ lines: lines(9) }),
      narrow: merit({ lines: lines(2) }),
      twin: merit({ lines: { added: 1, removed: 1 } }),
      mending: merit({ resolved: 1, lines: lines(50) }),
    },
    [
      ['mending', 1],
      ['narrow', 2],
      ['twin', 2],
      ['wide', 4],
    ],
  ],
])('%s', (_, merits, expected) => {
  const ranked = rankBy(
    Object.entries(merits).map(([name, value]) => ({ name, value })),
    ({ value }) => value,
  );
  expect(ranked.map(({ name, rank }) => [name, rank])).toEqual(expected);
});
