import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nastyText, splicedCommand } from '../../../test/support/shell/arbitrary-text.ts';
import { benignCommands } from '../../../test/support/shell/benign-commands.ts';
import { hostileCommands } from '../../../test/support/shell/hostile-commands.ts';
import { independentParse, plainList } from '../../../test/support/shell/independent-parse.ts';
import { isBoundary } from '../boundary.ts';
import { readShellCommand } from '../shell-reading.ts';
import { gateCharacters } from './character-gate.ts';
import { parseShellList } from './shell-parser.ts';

/** Another parser must read everything our grammar accepts as the same commands. */
function check(text: string): 'accepted' | 'refused' {
  readShellCommand(text);
  if (gateCharacters(text)) return 'refused';
  const list = parseShellList(text);
  if (!isBoundary(list)) expect(plainList(list)).toEqual(independentParse(text));
  return isBoundary(list) ? 'refused' : 'accepted';
}

/** Holds for every text, and enough texts are accepted for the test to be meaningful. */
function checkAll(
  texts: fc.Arbitrary<string>,
  { numRuns, accepted }: { numRuns: number; accepted: number },
): void {
  let count = 0;
  const property = fc.property(texts, (text) => {
    if (check(text) === 'accepted') count += 1;
  });
  fc.assert(property, { numRuns });
  expect(count).toBeGreaterThan(accepted);
}

describe('against another parser of bash', { timeout: 60_000 }, () => {
  test('every known command that is accepted is read the same', () => {
    for (const text of [...benignCommands, ...Object.values(hostileCommands).flat()]) check(text);
  });

  test('accepted random pieces are read the same', () => {
    checkAll(nastyText, { numRuns: 6000, accepted: 50 });
  });

  test('accepted splices of real commands are read the same', () => {
    checkAll(splicedCommand, { numRuns: 3000, accepted: 50 });
  });

  test('random characters never make the reader fail', () => {
    checkAll(fc.string({ unit: 'binary', maxLength: 60 }), { numRuns: 1000, accepted: -1 });
    checkAll(fc.string({ unit: 'binary-ascii', maxLength: 60 }), { numRuns: 2000, accepted: -1 });
  });
});
