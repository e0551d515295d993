import fc from 'fast-check';
import { expect, test } from 'vitest';
import { workspacePath } from '../../test/support/memory-source.ts';
import type { Evaluation, Finding } from './evaluation.ts';
import type { EvaluationOutcome } from './evaluator.ts';
import { parseOutcome } from './outcome-schema.ts';

const path = fc.constantFrom('a.ts', 'dir/b.ts').map(workspacePath);
const position = fc.record({ line: fc.nat(), character: fc.nat() });
const range = fc.record({ start: position, end: position });
const sentences = fc.array(fc.string(), { maxLength: 2 });

const finding: fc.Arbitrary<Finding> = fc.record({
  path,
  diagnostic: fc.record(
    {
      range,
      severity: fc.constantFrom('error', 'warning', 'info', 'hint'),
      message: fc.string(),
      source: fc.string(),
      code: fc.oneof(fc.string(), fc.nat()),
      tags: fc.array(fc.constantFrom('unnecessary', 'deprecated')),
      related: fc.array(fc.record({ uri: fc.string(), range, message: fc.string() }), { maxLength: 1 }),
      data: fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value))),
    },
    { requiredKeys: ['range', 'severity', 'message'] },
  ),
});

const evaluation: fc.Arbitrary<Evaluation> = fc.record(
  {
    scope: fc.constantFrom('file', 'workspace'),
    introduced: fc.array(finding, { maxLength: 2 }),
    resolved: fc.array(finding, { maxLength: 2 }),
    netDelta: fc.integer(),
    errorsDelta: fc.integer(),
    warningsDelta: fc.integer(),
    confidence: fc.constantFrom('high', 'eventual', 'partial', 'low'),
    baselineConfidence: fc.constantFrom('high', 'partial'),
    timedOut: fc.boolean(),
    durationMs: fc.nat(),
    server: fc.record({ name: fc.string(), version: fc.string() }, { requiredKeys: ['name'] }),
    settle: fc.record(
      { mode: fc.constantFrom('pull', 'push', 'request'), quietMs: fc.nat() },
      { requiredKeys: ['mode'] },
    ),
    way: fc.constantFrom('buffers', 'mounted', 'copied'),
    confinement: fc.oneof(
      fc.record({ kind: fc.constantFrom('refused', 'not-needed', 'confined', 'elsewhere') }),
      fc.record({ kind: fc.constant('open' as const), because: fc.string() }),
    ),
    evaluatedFiles: fc.array(path),
    dependentsNotChecked: fc.nat(),
    doubts: sentences,
  },
  { noNullPrototype: true, requiredKeys: requiredOfEvaluation() },
);

const outcome: fc.Arbitrary<EvaluationOutcome> = fc.oneof(
  fc.record({ kind: fc.constant('stale' as const), paths: fc.array(path) }),
  fc.record(
    {
      kind: fc.constant('evaluated' as const),
      changed: fc.array(path),
      verdict: fc.oneof(
        fc.record({ kind: fc.constant('clean' as const) }),
        fc.record({ kind: fc.constant('broken' as const), errors: fc.nat(), in: fc.array(path) }),
        fc.record({ kind: fc.constant('unknown' as const), why: sentences }),
      ),
      evaluations: fc.array(evaluation, { maxLength: 2 }),
      unjudged: fc.array(
        fc.record(
          {
            paths: fc.array(path),
            reason: fc.string(),
            remedy: fc.string(),
            failure: fc.record({ server: fc.string(), code: fc.string() }),
          },
          { requiredKeys: ['paths', 'reason', 'remedy'] },
        ),
        { maxLength: 2 },
      ),
      mainServer: fc.string(),
    },
    { requiredKeys: ['kind', 'changed', 'verdict', 'evaluations', 'unjudged'] },
  ),
);

test('an outcome survives JSON and its schema unchanged', () => {
  fc.assert(
    fc.property(outcome, (answer) => {
      expect(parseOutcome(JSON.parse(JSON.stringify(answer)))).toEqual(answer);
    }),
  );
});

test('what is no outcome is refused', () => {
  expect(() => parseOutcome({ kind: 'clean' })).toThrow(
    expect.objectContaining({ code: 'evaluation/malformed-outcome' }),
  );
});

/** All but the one member that may be absent. */
function requiredOfEvaluation(): Exclude<keyof Evaluation, 'dependentsNotChecked'>[] {
  return [
    'scope',
    'introduced',
    'resolved',
    'netDelta',
    'errorsDelta',
    'warningsDelta',
    'confidence',
    'baselineConfidence',
    'timedOut',
    'durationMs',
    'server',
    'settle',
    'way',
    'confinement',
    'evaluatedFiles',
    'doubts',
  ];
}
