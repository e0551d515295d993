import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  arbitraryChange,
  arbitraryText,
  arbitraryTextAndChanges,
} from '../../test/support/text/arbitrary-change.ts';
import { composeChanges, invertChange, rebaseChange } from '../../test/support/text/change-algebra.ts';
import { applyChange, type Change, mapOffset, normaliseChange, type Splice } from './text-edit.ts';

function splice(start: number, end: number, text: string): Splice {
  return { start, end, text };
}

/** Every function promises this shape, so every law checks it. */
function expectChange(change: Change): void {
  expect(normaliseChange(change)).toEqual(change);
}

describe('laws', () => {
  test('applying a change and then its inverse gives the text back', () => {
    fc.assert(
      fc.property(arbitraryTextAndChanges, ({ text, one }) => {
        const inverse = invertChange(text, one);
        expectChange(inverse);
        expect(applyChange(applyChange(text, one), inverse)).toBe(text);
      }),
    );
  });

  test('a composed change does what its two changes do one after the other', () => {
    const cases = arbitraryTextAndChanges.chain(({ text, one }) =>
      fc.record({
        text: fc.constant(text),
        first: fc.constant(one),
        second: arbitraryChange(applyChange(text, one).length),
      }),
    );
    fc.assert(
      fc.property(cases, ({ text, first, second }) => {
        const composed = composeChanges(first, second);
        expectChange(composed);
        expect(applyChange(text, composed)).toBe(applyChange(applyChange(text, first), second));
      }),
    );
  });

  test('two changes of one text lead to the same text whichever is rebased over the other', () => {
    fc.assert(
      fc.property(arbitraryTextAndChanges, ({ text, one, other }) => {
        const otherAfterOne = rebaseChange(other, one);
        const oneAfterOther = rebaseChange(one, other, 'change');
        expectChange(otherAfterOne);
        expectChange(oneAfterOther);
        expect(applyChange(applyChange(text, one), otherAfterOne)).toBe(
          applyChange(applyChange(text, other), oneAfterOther),
        );
      }),
    );
  });

  test('offsets keep their order through a change', () => {
    fc.assert(
      fc.property(arbitraryTextAndChanges, ({ text, one }) => {
        const length = applyChange(text, one).length;
        let reached = 0;
        for (let offset = 0; offset <= text.length; offset += 1) {
          for (const bias of ['before', 'after'] as const) {
            const mapped = mapOffset(one, offset, bias);
            expect(mapped).toBeGreaterThanOrEqual(bias === 'before' ? 0 : reached);
            expect(mapped).toBeLessThanOrEqual(length);
            reached = mapped;
          }
        }
      }),
    );
  });

  test('a character the change keeps lies where its offset maps to', () => {
    fc.assert(
      fc.property(arbitraryTextAndChanges, ({ text, one }) => {
        const after = applyChange(text, one);
        for (let offset = 0; offset < text.length; offset += 1) {
          if (one.some(({ start, end }) => start <= offset && offset < end)) continue;
          expect(after.charAt(mapOffset(one, offset, 'after'))).toBe(text.charAt(offset));
          expect(after.charAt(mapOffset(one, offset + 1, 'before') - 1)).toBe(text.charAt(offset));
        }
      }),
    );
  });

  test('an insertion is rebased to where its offset maps to', () => {
    fc.assert(
      fc.property(arbitraryTextAndChanges, fc.nat({ max: 40 }), ({ text, one }, anywhere) => {
        const offset = Math.min(anywhere, text.length);
        const [rebased] = rebaseChange([splice(offset, offset, '!')], one);
        expect(rebased?.start).toBe(mapOffset(one, offset, 'after'));
      }),
    );
  });

  test('normalising does not depend on the order of edits at different places', () => {
    fc.assert(
      fc.property(arbitraryText, fc.infiniteStream(fc.nat()), (text, random) => {
        const change = [...text].map((character, at) => splice(2 * at, 2 * at + 1, character));
        const shuffled = change
          .map((edit) => ({ edit, key: random.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ edit }) => edit);
        expect(normaliseChange(shuffled)).toEqual(change);
      }),
    );
  });
});

describe('what two changes at one place become', () => {
  const text = 'one two three';
  const cases: Record<string, { change: Splice; over: Splice; result: string }> = {
    'of two insertions, the other comes first': {
      change: splice(4, 4, 'B'),
      over: splice(4, 4, 'A'),
      result: 'one ABtwo three',
    },
    'of two replacements of one word, the other comes first': {
      change: splice(4, 7, 'B'),
      over: splice(4, 7, 'A'),
      result: 'one AB three',
    },
    'an insertion before a replaced word stays before it': {
      change: splice(4, 4, 'B'),
      over: splice(4, 7, 'A'),
      result: 'one BA three',
    },
    'an insertion behind a replaced word stays behind it': {
      change: splice(7, 7, 'B'),
      over: splice(4, 7, 'A'),
      result: 'one AB three',
    },
    'an insertion into a removed word survives it': {
      change: splice(5, 5, 'B'),
      over: splice(4, 7, ''),
      result: 'one B three',
    },
    'a removal leaves what was inserted into it': {
      change: splice(4, 7, ''),
      over: splice(5, 5, 'A'),
      result: 'one A three',
    },
    'overlapping removals remove their union once': {
      change: splice(0, 7, ''),
      over: splice(4, 13, ''),
      result: '',
    },
  };
  test.each(Object.entries(cases))('%s', (_, { change, over, result }) => {
    expect(applyChange(applyChange(text, [over]), rebaseChange([change], [over]))).toBe(result);
  });
});

describe('normaliseChange', () => {
  test('keeps the order of insertions at one place and puts them before a replacement there', () => {
    const change = normaliseChange([
      splice(3, 5, 'R'),
      splice(3, 3, '2'),
      splice(0, 0, '0'),
      splice(3, 3, '1'),
    ]);
    expect(applyChange('abcdef', change)).toBe('0abc21Rf');
  });

  test('drops edits that do nothing', () => {
    expect(normaliseChange([splice(2, 2, ''), splice(1, 2, '')])).toEqual([splice(1, 2, '')]);
  });

  test.each([
    ['two edits that overlap', [splice(0, 3, ''), splice(2, 4, '')], 'text/overlapping-edits'],
    ['an insertion inside a removal', [splice(0, 3, ''), splice(1, 1, 'x')], 'text/overlapping-edits'],
    ['two replacements of one range', [splice(1, 2, 'x'), splice(1, 2, 'y')], 'text/overlapping-edits'],
    ['an edit that ends before it starts', [splice(3, 1, '')], 'text/reversed-edit'],
  ])('refuses %s', (_, splices, code) => {
    expect(() => normaliseChange(splices)).toThrow(expect.objectContaining({ code }));
  });
});

test('a change made for a longer text is refused, not cut short', () => {
  expect(() => applyChange('abc', [splice(2, 4, '')])).toThrow(
    expect.objectContaining({ code: 'text/edit-out-of-range' }),
  );
});
