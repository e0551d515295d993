/** The first thing a newcomer runs must be true. */
import { expect, test } from 'vitest';
import { runProgram, withoutProgress } from '../support/built-program.ts';

test('the demonstration shows broken, clean and broken elsewhere, in both languages', async () => {
  const run = await runProgram(['demo']);
  const verdicts = [...run.stdout.matchAll(/^ {3}(clean|broken|unknown):.*?( in [\w., ]+)? \(/gm)];
  expect(verdicts.map(([, verdict, place]) => `${verdict}${verdict === 'broken' ? place : ''}`)).toEqual([
    'broken in cart.ts',
    'clean',
    'broken in receipt.ts',
    'broken in cart.py',
    'clean',
    'broken in receipt.py',
  ]);
  expect(run.stdout).toContain('forerun init');
  expect(run.stdout).not.toContain('npx');
  expect(withoutProgress(run)).toMatchObject({ code: 0, stderr: '' });
});
