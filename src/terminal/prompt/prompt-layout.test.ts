import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { boundaryFrom } from '../line/character.ts';
import { span, textOfLine, widthOfLine } from '../line/styled-line.ts';
import { liveView } from '../view/live-view.ts';
import { historyOf } from './input-history.ts';
import type { Key, KeyName } from './key.ts';
import { KeyReader } from './key-reader.ts';
import { layOutPrompt } from './prompt-layout.ts';
import { type PromptState, pressKey } from './prompt-state.ts';
import { emptyPrompt, promptOf } from './prompt-text.ts';

const sign = span('> ');
const lines = (count: number, line = (at: number) => `line ${at}`): string =>
  Array.from({ length: count }, (_, at) => line(at + 1)).join('\n');

function shown(text: string, cursor: number, rows = 6): readonly string[] {
  const laid = layOutPrompt({ text, cursor }, { sign, after: [] }, { columns: 20, rows });
  return laid.lines.map((each, row) => `${row === laid.cursor.row ? '*' : ' '}${textOfLine(each)}`);
}

describe('of a long text the lines around the cursor are shown', () => {
  test('at its end', () => {
    expect(shown(lines(100), lines(100).length)).toEqual([
      ' > … 95 lines above',
      '   line 96',
      '   line 97',
      '   line 98',
      '   line 99',
      '*  line 100',
    ]);
  });

  test('at its beginning', () => {
    expect(shown(lines(100), 0)).toEqual([
      '*> line 1',
      '   line 2',
      '   line 3',
      '   line 4',
      '   line 5',
      '   … 95 lines below',
    ]);
  });

  test('in its middle', () => {
    expect(shown(lines(100), lines(50).length)).toEqual([
      ' > … 48 lines above',
      '   line 49',
      '*  line 50',
      '   line 51',
      '   line 52',
      '   … 48 lines below',
    ]);
  });

  test('and of one long line the rows', () => {
    expect(shown('0123456789abcdefg'.repeat(100_000), 170_000)).toEqual([
      ' > … above',
      '   0123456789abcdefg',
      '*  0123456789abcdefg',
      '   0123456789abcdefg',
      '   0123456789abcdefg',
      '   … below',
    ]);
  });
});

test('what is shown is what the whole text would show there', () => {
  const unit = fc.constantFrom('a', 'word ', '日', '👩‍💻', '🇩🇪', '\n', '\t', 'e\u0301', 'x'.repeat(30));
  fc.assert(
    fc.property(
      fc.string({ unit, maxLength: 120 }),
      fc.nat(400),
      fc.integer({ min: 1, max: 12 }),
      (text, offset, rows) => {
        const prompt = { text, cursor: boundaryFrom(text, Math.min(offset, text.length)) };
        const whole = layOutPrompt(prompt, { sign, after: [] }, { columns: 12, rows: 10_000 });
        const part = layOutPrompt(prompt, { sign, after: [] }, { columns: 12, rows });
        expect(part.lines.length).toBe(Math.min(rows, whole.lines.length));
        expect(part.cursor.column).toBe(whole.cursor.column);
        const first = whole.cursor.row - part.cursor.row;
        for (const [row, each] of part.lines.entries()) {
          const [here, there] = [textOfLine(each), textOfLine(whole.lines[first + row] ?? [])];
          expect(here === there || /^(> | {2})… /.test(here)).toBe(true);
          if (row === part.cursor.row) expect(here).toBe(there);
          expect(widthOfLine(each)).toBeLessThan(20);
        }
      },
    ),
    { numRuns: 500 },
  );
});

/** The amount of text segmented while a text is pasted in pieces and drawn, and keys are pressed in it. */
function segmentedFor(text: string): { readonly units: number; readonly drawn: number } {
  using spy = vi.spyOn(Intl.Segmenter.prototype, 'segment');
  const reader = new KeyReader();
  const sent = `\u001b[200~${text}\u001b[201~`;
  const keys: Key[] = [];
  for (let at = 0; at < sent.length; at += 1000) keys.push(...reader.read(sent.slice(at, at + 1000)));
  const pressed: readonly KeyName[] = ['left', 'up', 'home', 'backspace', 'word-left', 'erase-word', 'end'];
  let prompt: PromptState = { prompt: emptyPrompt, history: historyOf([]) };
  let drawn = 0;
  for (const key of [...keys, { kind: 'text', text: 'é' } as const, ...pressed.map((kind) => ({ kind }))]) {
    prompt = pressKey(prompt, key, { enterRuns: false, completions: ['/help'] }).state;
    const state = { activity: 'waiting', unfinished: [], running: [], queued: [text], footer: '' } as const;
    drawn += liveView({ ...state, prompt }, { columns: 80, rows: 30 }).lines.length;
  }
  return { units: spy.mock.calls.reduce((sum, [given]) => sum + given.length, 0), drawn };
}

describe('a key costs the same however long the text is', () => {
  test.each([
    [
      'lines',
      1000,
      (count: number) => lines(count, (at) => `${at}: e\u0301 日本語 👩‍💻 and some more words`),
    ],
    ['lines of marks', 1000, (count: number) => lines(count, () => '🇩🇪'.repeat(20))],
    ['one line', 1000, (count: number) => 'e\u0301 日本語 👩‍💻 '.repeat(count * 5)],
    ['one line of flags', 1000, (count: number) => '🇩🇪'.repeat(count * 10)],
  ])('%s', (_name, count, text) => {
    const [small, large] = [segmentedFor(text(count)), segmentedFor(text(count * 10))];
    expect(small.units).toBeGreaterThan(0);
    expect(large.units).toBeLessThan(small.units * 1.5);
    expect(large.drawn).toBeLessThan(small.drawn * 1.5);
  });
});

test('a prompt never takes more than half of the screen', () => {
  const prompt = { prompt: promptOf(lines(500)), history: historyOf([]) };
  const state = { activity: 'waiting', unfinished: [], running: [], queued: [], footer: 'footer' } as const;
  expect(liveView({ ...state, prompt }, { columns: 80, rows: 30 }).lines).toHaveLength(16);
});
