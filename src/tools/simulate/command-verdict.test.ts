import { expect, test } from 'vitest';
import type { Verdict } from '../../evaluation/evaluation.ts';
import type { CommandOutcome } from '../../sandbox/command-outcome.ts';
import { verdictWithCommands } from './command-verdict.ts';

const boundary: CommandOutcome = { kind: 'boundary', rule: 'unknown-command', why: 'it may write' };

function ended(code: number | undefined): CommandOutcome {
  const rest = { stdout: '', stderr: '', truncated: false, diskFull: false, durationMs: 1 };
  return { kind: 'finished', code, timedOut: code === undefined, ...rest };
}

test.each<[Verdict['kind'], readonly CommandOutcome[], Verdict['kind'], number]>([
  ['clean', [], 'clean', 0],
  ['clean', [ended(0), ended(0)], 'clean', 0],
  ['clean', [ended(0), ended(2)], 'broken', 0],
  ['clean', [ended(undefined)], 'unknown', 1],
  ['clean', [ended(0), boundary], 'unknown', 1],
  ['clean', [boundary, ended(1)], 'broken', 1],
  ['unknown', [ended(0)], 'unknown', 0],
  ['unknown', [ended(1)], 'broken', 0],
  ['broken', [ended(0)], 'broken', 0],
])('%s with %j is %s', (verdict, outcomes, expected, doubts) => {
  const commands = outcomes.map((outcome) => ({ command: 'x', outcome }));
  const judged = verdictWithCommands(verdict, commands);
  expect(judged.verdict).toBe(expected);
  expect(judged.doubts).toHaveLength(doubts);
});

test.each<[number | undefined, Verdict['kind']]>([
  [0, 'unknown'],
  [3, 'clean'],
  [undefined, 'clean'],
])('a passed command that ran %s tests leaves clean as %s', (testsRun, expected) => {
  const command = {
    command: 'go test ./...',
    outcome: ended(0),
    ...(testsRun !== undefined && { testsRun }),
  };
  const judged = verdictWithCommands('clean', [command]);
  expect(judged.verdict).toBe(expected);
  expect(judged.doubts).toEqual(expected === 'clean' ? [] : ['"go test ./..." ran no test']);
});
