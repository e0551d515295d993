/** The judge itself: which answers it counts as exact, honest or false. */
import { expect, test } from 'vitest';
import { sourcesOf } from '../support/changes/sources.ts';
import type { Problem } from '../support/truth/problem.ts';
import { compareAnswer, type Measured } from './comparison.ts';
import type { ForerunAnswer } from './forerun-answer.ts';

const sources = sourcesOf({ 'a.ts': 'one\ntwo\nthree\n', 'b.ts': 'one\n', 'tsconfig.json': '{}\n' });
const edit = { kind: 'edit', sentence: '', files: [{ path: 'a.ts', after: 'one\nadded\ntwo\nthree\n' }] };
const cut = { kind: 'cut', sentence: '', files: [{ path: 'tsconfig.json', after: '{"a":' }] };

function at(path: string, line: number, code = '1'): Problem {
  return { path, line, column: 1, severity: 'error', code, message: '' };
}

/** A file that a project does not list. */
function unlisted(path: string, project: string): Problem {
  return { ...at(path, 1, '6307'), message: `File 'd.ts' is not listed in '${project}'.` };
}

interface Case {
  readonly verdict: ForerunAnswer['verdict'];
  readonly confidence?: ForerunAnswer['confidence'];
  readonly introduced?: readonly Problem[];
  readonly resolved?: readonly Problem[];
  readonly before?: readonly Problem[];
  readonly after?: readonly Problem[];
  readonly unstable?: readonly string[];
  readonly hidden?: readonly string[];
  readonly change?: typeof edit;
}

function outcome(given: Case): string {
  const { verdict, confidence = 'high', introduced = [], resolved = [] } = given;
  const answer = { verdict, confidence, introduced, resolved, doubts: [], durationMs: 0, patch: '' };
  const measured: Measured = {
    before: given.before ?? [],
    after: given.after ?? [],
    unstable: new Set(given.unstable),
    hidden: new Set(given.hidden),
  };
  const change = given.change ?? edit;
  return compareAnswer(answer, measured, { change, sources, codeOf: ({ code }) => code }).outcome;
}

const cases: readonly (readonly [string, string, Case])[] = [
  ['clean, and the compiler agrees', 'exact', { verdict: 'clean' }],
  [
    'the one error that came',
    'exact',
    { verdict: 'broken', introduced: [at('b.ts', 1)], after: [at('b.ts', 1)] },
  ],
  [
    'an error that only moved',
    'exact',
    { verdict: 'clean', before: [at('a.ts', 2)], after: [at('a.ts', 3)] },
  ],
  [
    'an error in the library of the language, wherever the compiler has it',
    'exact',
    {
      verdict: 'broken',
      introduced: [at('node_modules/typescript/lib/lib.dom.d.ts', 7)],
      after: [at('../ours/node_modules/typescript-server/lib/lib.dom.d.ts', 7)],
    },
  ],
  ['clean, but an error came', 'false-clean', { verdict: 'clean', after: [at('b.ts', 1)] }],
  [
    'one of two errors, surely',
    'false-high',
    { verdict: 'broken', introduced: [at('b.ts', 1)], after: [at('b.ts', 1), at('a.ts', 1)] },
  ],
  [
    'one of two errors, unsurely',
    'honest',
    {
      verdict: 'broken',
      confidence: 'lower',
      introduced: [at('b.ts', 1)],
      after: [at('b.ts', 1), at('a.ts', 1)],
    },
  ],
  ['an error that is not there', 'invented', { verdict: 'broken', introduced: [at('b.ts', 1)] }],
  [
    'another code at the same place',
    'false-high',
    { verdict: 'broken', introduced: [at('b.ts', 1, '2')], after: [at('b.ts', 1)] },
  ],
  [
    'an old error taken for a new one',
    'invented',
    { verdict: 'broken', introduced: [at('b.ts', 1)], before: [at('b.ts', 1)], after: [at('b.ts', 1)] },
  ],
  ['resolved what was never there', 'false-high', { verdict: 'clean', resolved: [at('b.ts', 1)] }],
  ['not said that an error went', 'false-high', { verdict: 'clean', before: [at('b.ts', 1)] }],
  ['no verdict', 'honest', { verdict: 'unknown', after: [at('b.ts', 1)] }],
  [
    'an error of some runs only',
    'exact',
    { verdict: 'clean', after: [at('b.ts', 1)], unstable: ['b.ts:1 1'] },
  ],
  [
    'a file the compiler did not look at',
    'exact',
    { verdict: 'clean', before: [at('b.ts', 1)], hidden: ['b.ts'] },
  ],
  [
    'the same error from two projects',
    'exact',
    { verdict: 'broken', introduced: [at('b.ts', 1), at('b.ts', 1)], after: [at('b.ts', 1)] },
  ],
  [
    'TS6307, more often and elsewhere',
    'exact',
    {
      verdict: 'broken',
      introduced: [at('b.ts', 1, '6307')],
      after: [at('c.ts', 2, '6307'), at('b.ts', 7, '6307')],
    },
  ],
  [
    'TS6307 of two projects at one import',
    'exact',
    {
      verdict: 'broken',
      introduced: [unlisted('b.ts', 'one'), unlisted('b.ts', 'other')],
      after: [unlisted('c.ts', 'one'), unlisted('b.ts', 'other')],
    },
  ],
  ['broken JSON, clean', 'false-clean', { verdict: 'clean', change: cut }],
  [
    'two problems of a line from a server, one from a compiler without codes',
    'exact',
    {
      verdict: 'broken',
      introduced: [at('b.ts', 1, ''), { ...at('b.ts', 1, ''), column: 9 }],
      after: [at('b.ts', 1, '')],
    },
  ],
  [
    'a source that does not parse, at another line',
    'exact',
    { verdict: 'broken', introduced: [at('b.ts', 1, '')], after: [at('b.ts', 9, 'syntax')] },
  ],
  [
    'broken JSON, in other words than the compiler',
    'exact',
    {
      verdict: 'broken',
      change: cut,
      introduced: [at('tsconfig.json', 1, '516')],
      after: [at('tsconfig.json', 1, '1005')],
    },
  ],
];

test.each(cases)('%s: %s', (_, expected, given) => {
  expect(outcome(given)).toBe(expected);
});
