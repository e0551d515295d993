import { expect, test } from 'vitest';
import { KeptOutput } from './kept-output.ts';

test('output is read from an offset on', () => {
  const output = new KeptOutput();
  output.add('one\n');
  output.add('two\n');
  expect(output.after(0)).toEqual({ start: 0, text: 'one\ntwo\n' });
  expect(output.after(4)).toEqual({ start: 4, text: 'two\n' });
  expect(output.after(8)).toEqual({ start: 8, text: '' });
  expect(output.after(99)).toEqual({ start: 8, text: '' });
});

test('of long output the end is kept, from the beginning of a line on', () => {
  const output = new KeptOutput();
  let all = '';
  for (let n = 0; n < 100_000; n++) {
    const line = `line ${n}\n`;
    all += line;
    output.add(line);
  }
  const { start, text } = output.after(0);
  expect(output.end).toBe(all.length);
  expect(text).toBe(all.slice(start));
  expect(text).toMatch(/^line \d+\n/);
  expect(text.length).toBeLessThanOrEqual(500_000);
  expect(text.length).toBeGreaterThan(390_000);
});
