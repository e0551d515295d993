import { expect, test } from 'vitest';
import type { Boundary } from './boundary.ts';
import { type OfferVerdict, renderOffer } from './offer.ts';

const verdict: OfferVerdict = {
  files: 3,
  errorsIntroduced: 0,
  errorsResolved: 0,
  proof: 'proved',
  commands: [],
};
const passed = (command: string) => ({ command, outcome: 'passed' }) as const;
const failed = (command: string) => ({ command, outcome: 'failed' }) as const;

test.each<[Partial<OfferVerdict>, Boundary, string]>([
  [{ commands: [passed('npm test')] }, { kind: 'complete' }, '3 files, 0 errors introduced, tests pass'],
  [{ files: 1, errorsIntroduced: 1 }, { kind: 'complete' }, '1 file, 1 error introduced'],
  [{ errorsResolved: 2 }, { kind: 'complete' }, '3 files, 0 errors introduced, 2 resolved'],
  [{ proof: 'unproved' }, { kind: 'complete' }, '3 files, not proved free of errors'],
  [{ proof: 'unproved', errorsIntroduced: 2 }, { kind: 'complete' }, '3 files, 2 errors introduced'],
  [{ proof: 'unjudged' }, { kind: 'complete' }, '3 files'],
  [{ files: 0 }, { kind: 'complete' }, 'no files changed'],
  [
    { files: 0, commands: [failed('pytest -q'), passed('pytest -q')] },
    { kind: 'complete' },
    'no files changed, tests pass',
  ],
  [
    { commands: [passed('cargo test'), failed('npm test')] },
    { kind: 'complete' },
    '3 files, 0 errors introduced, tests fail',
  ],
  [
    { files: 0, commands: [passed('ls'), passed('make'), failed('npm run build')] },
    { kind: 'complete' },
    'no files changed, npm run build fails, 2 commands passed',
  ],
  [
    { files: 0 },
    { kind: 'bash', tool: 'Bash', detail: 'git push' },
    'no files changed, stops before git push',
  ],
  [
    { commands: [passed('npm test')] },
    {
      kind: 'bash',
      tool: 'Bash',
      detail: 'npm test',
      lost: { paths: ['/tmp/out.xml'], listed: 'all' },
    },
    '3 files, 0 errors introduced, tests pass, npm test runs again when you accept: it wrote /tmp/out.xml',
  ],
  [
    { files: 0 },
    { kind: 'bash', tool: 'Bash', detail: 'make', lost: { paths: ['/tmp/a', '/tmp/b'], listed: 'some' } },
    'no files changed, make runs again when you accept: it wrote /tmp/a and more',
  ],
  [{ files: 0 }, { kind: 'limit', detail: '20 rounds' }, 'no files changed, not finished'],
])('%o, %o is offered as "%s"', (over, boundary, text) => {
  expect(renderOffer({ ...verdict, ...over }, boundary)).toBe(text);
});

test('what it comes on top of is told, the nearest alone', () => {
  const restsOn = ['use port 8080', 'now make it 9090'];
  expect(renderOffer(verdict, { kind: 'complete' }, restsOn)).toBe(
    '3 files, 0 errors introduced, on top of “now make it 9090”',
  );
});
