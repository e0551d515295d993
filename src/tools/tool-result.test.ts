import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leavesIn } from '../../test/support/answer-leaf.ts';
import { AnswerRests } from './answer-rest.ts';
import { cappedResult, contentOf, jsonResult, type ToolResult, textResult, tokensOf } from './tool-result.ts';

const callers = Array.from({ length: 200 }, (_, line) => ({ name: 'total', file: '/w/src/bill.ts', line }));

test('an answer that fits is left as it is', () => {
  const result = jsonResult({ callers }, { meta: { indexed: true } });
  expect(cappedResult(result, 100_000)).toBe(result);
});

test('of every list the beginning is kept, and what was cut is counted where it was cut', () => {
  const { payload, meta } = cappedResult(jsonResult({ summary: 'much', callers, files: ['a', 'b'] }), 100);
  expect(payload).toMatchObject({ value: { summary: 'much', files: ['a', 'b'] } });
  expect(tokensOf(JSON.stringify(payload.kind === 'json' && payload.value))).toBeLessThanOrEqual(100);
  const { truncated } = meta ?? {};
  expect(truncated).toMatchObject({ max_tokens: 100, lists: { 'callers[]': expect.any(Number) } });
});

test('lists inside lists are counted together', () => {
  const symbols = ['a', 'b'].map((name) => ({ name, callers }));
  const { meta } = cappedResult(jsonResult({ symbols }), 200);
  expect(meta?.truncated).toMatchObject({ lists: { 'symbols[].callers[]': expect.any(Number) } });
});

test('a long text is cut only where cutting lists was not enough, and a name never is', () => {
  const { payload } = cappedResult(jsonResult({ name: 'total', source: 'x'.repeat(10_000) }), 300);
  expect(payload).toMatchObject({
    value: { name: 'total', source: expect.stringMatching(/^x{200,1300}…$/) },
  });
});

test('a text is cut at the end of a line', () => {
  const { payload, meta } = cappedResult(textResult('a line of words\n'.repeat(100)), 20);
  expect(payload).toMatchObject({ text: expect.stringMatching(/^(a line of words\n)+…$/) });
  expect(meta?.truncated).toMatchObject({ max_tokens: 20, left_out: expect.any(Number) });
});

test('without a place to keep the rest, the answer names the budget that is enough for all of it', () => {
  for (const whole of [jsonResult({ callers }), textResult('a line of words\n'.repeat(100))]) {
    const { truncated } = cappedResult(whole, 50).meta ?? {};
    expect(cappedResult(whole, Object(truncated).continue_with.max_tokens)).toBe(whole);
  }
});

test('a choice the tool has made itself stands', () => {
  const result = jsonResult({ callers }, { meta: { truncated: { max_tokens: 10, left_out: 190 } } });
  expect(cappedResult(result, 10)).toBe(result);
});

test('whatever was asked, the first item still parses, and either fits or says that it was cut', () => {
  const answers = fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(answers, fc.integer({ min: 0, max: 200 }), (value, maxTokens) => {
      const result = cappedResult(jsonResult(value), maxTokens);
      const [first = ''] = contentOf(result);
      expect(() => JSON.parse(first)).not.toThrow();
      if (first === JSON.stringify(value)) return;
      expect(result.meta?.truncated).toMatchObject({ max_tokens: maxTokens });
    }),
  );
});

describe('the parts of an answer', () => {
  test('of a text are the text', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 500 });
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 60 }), (whole, maxTokens) => {
        const parts = partsOf(textResult(whole), maxTokens);
        const texts = parts.map(({ payload }) => (payload.kind === 'text' ? payload.text : ''));
        expect(texts.map((part, at) => (at < parts.length - 1 ? part.slice(0, -1) : part)).join('')).toBe(
          whole,
        );
      }),
    );
  });

  test('hold every item of every list once, whatever the budget', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 0, max: 200 }), (value, maxTokens) => {
        const parts = partsOf(jsonResult(value), maxTokens);
        const walked = parts.flatMap(({ payload }) => leavesIn(payload.kind === 'json' && payload.value));
        expect(walked.sort()).toEqual(leavesIn(value).sort());
      }),
    );
  });

  test('are the same again for the same cursor, and the oldest are forgotten', () => {
    const kept = new AnswerRests();
    const first = kept.keep({ kind: 'text', text: 'first' });
    expect(kept.at(first)).toBe(kept.at(first));
    for (let more = 0; more < 100; more += 1) kept.keep({ kind: 'text', text: 'more' });
    expect(() => kept.at(first)).toThrow('no answer is kept for the cursor');
  });
});

/** Follows the cursors to the end. */
function partsOf(whole: ToolResult, maxTokens: number): readonly ToolResult[] {
  const kept = new AnswerRests();
  const parts = [cappedResult(whole, maxTokens, (rest) => kept.keep(rest))];
  for (let cursor = cursorOf(parts[0]); cursor !== undefined; cursor = cursorOf(parts.at(-1))) {
    const rest = { payload: kept.at(cursor), isError: false };
    parts.push(cappedResult(rest, maxTokens, (left) => kept.keep(left)));
  }
  return parts;
}

function cursorOf(part: ToolResult | undefined): string | undefined {
  return Object(part?.meta?.truncated).continue_with?.cursor;
}
