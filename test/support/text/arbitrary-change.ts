import fc from 'fast-check';
import { type Change, normaliseChange } from '../../../src/text/text-edit.ts';

/**
 * Texts and changes for the laws of this folder.
 *
 * Invariant: texts are short and made of few pieces, so that repeats, ties, every line end, combining and
 * astral characters all come up often.
 */
const piece = fc.constantFrom('a', 'b', 'a', ' ', 'é', '漢', '𝒳', '👩‍🚀', '\n', '\n', '\r\n', '\r');

export const arbitraryText: fc.Arbitrary<string> = fc
  .array(piece, { maxLength: 24 })
  .map((pieces) => pieces.join(''));

/** Texts of whole lines with many repeats, as a comparison of lines finds them hardest. */
export const arbitraryLines: fc.Arbitrary<string> = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd', '- \n', '-- x\n', '++ y\n', '@@ -1 +1 @@\n'), {
    maxLength: 30,
  })
  .map((lines) => lines.join(''));

/** A change of a text of `length` units. */
export function arbitraryChange(length: number): fc.Arbitrary<Change> {
  const offset = fc.nat({ max: length });
  return fc
    .tuple(
      fc.array(fc.tuple(offset, offset), { maxLength: 5 }),
      fc.array(fc.oneof(fc.constant(''), fc.constantFrom('x', 'yz', '\n', '𝒵')), {
        minLength: 10,
        maxLength: 10,
      }),
    )
    .map(([spans, texts]) => {
      const borders = spans.flat().sort((a, b) => a - b);
      const splices = spans.flatMap((_, at) => {
        const [start = 0, end = 0] = borders.slice(2 * at, 2 * at + 2);
        return [
          { start, end: start, text: texts[2 * at] ?? '' },
          { start, end, text: texts[2 * at + 1] ?? '' },
        ];
      });
      return normaliseChange(splices);
    });
}

export interface TextAndChanges {
  readonly text: string;
  readonly one: Change;
  readonly other: Change;
}

/** A text and two changes that are both addressed in it. */
export const arbitraryTextAndChanges: fc.Arbitrary<TextAndChanges> = arbitraryText.chain((text) =>
  fc.record({
    text: fc.constant(text),
    one: arbitraryChange(text.length),
    other: arbitraryChange(text.length),
  }),
);
