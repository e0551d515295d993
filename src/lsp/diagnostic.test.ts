import { expect, test } from 'vitest';
import { parseDiagnostics, protocolDiagnostic } from './diagnostic.ts';

const range = { start: { line: 1, character: 2 }, end: { line: 1, character: 5 } };
const nowhere = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

test.each<[string, unknown, object]>([
  [
    'everything there',
    { range, severity: 2, message: 'm', source: 's', code: 7 },
    { range, severity: 'warning', message: 'm', source: 's', code: 7 },
  ],
  ['no severity is an error', { range, message: 'm' }, { range, severity: 'error', message: 'm' }],
  [
    'an unknown severity is an error',
    { range, severity: 9, message: 'm' },
    { range, severity: 'error', message: 'm' },
  ],
  [
    'information and hints',
    { range, severity: 4, message: 'm', code: 'c' },
    { range, severity: 'hint', message: 'm', code: 'c' },
  ],
  [
    'a message in markup',
    { range, message: { kind: 'markdown', value: 'm' } },
    { range, severity: 'error', message: 'm' },
  ],
  [
    'a code with a target',
    { range, message: 'm', code: { value: 'c', target: 't' } },
    { range, severity: 'error', message: 'm', code: 'c' },
  ],
  [
    'what belongs to it besides its sentence',
    {
      range,
      message: 'm',
      tags: [1, 2, 9],
      relatedInformation: [{ location: { uri: 'file:///o', range }, message: 'r' }, 'nothing'],
      data: { fix: 1 },
    },
    {
      range,
      severity: 'error',
      message: 'm',
      tags: ['unnecessary', 'deprecated'],
      related: [{ uri: 'file:///o', range, message: 'r' }],
      data: { fix: 1 },
    },
  ],
  ['no range', { message: 'm' }, { range: nowhere, severity: 'error', message: 'm' }],
  ['no object at all', 'm', { range: nowhere, severity: 'error', message: 'm' }],
])('a diagnostic is never lost: %s', (_, wire, expected) => {
  expect(parseDiagnostics([wire], (same) => same)).toEqual([expected]);
});

test('a diagnostic goes back to its server as it came', () => {
  const wire = {
    range,
    severity: 3,
    code: 'c',
    source: 's',
    message: 'm',
    tags: [1],
    relatedInformation: [{ location: { uri: 'file:///o', range }, message: 'r' }],
    data: [7],
  };
  expect(parseDiagnostics([wire], (same) => same).map(protocolDiagnostic)).toEqual([wire]);
});
