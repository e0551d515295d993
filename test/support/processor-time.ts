/**
 * Notes the processor time of each test file, its child processes included, if FORERUN_TEST_PROCESSOR names a file.
 *
 * Invariant: counted is what this worker and the children it has reaped took. A process that outlives its file, such as
 * a broker, is not counted.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';

/** Lines of `<seconds> <name of the test file>`. */
const ledger = process.env.FORERUN_TEST_PROCESSOR;

/** Linux reports times in ticks of this many to the second, whatever its kernel uses. */
const ticksPerSecond = 100;

if (ledger !== undefined && process.platform === 'linux') {
  let before = 0;
  beforeAll(() => {
    before = processorSeconds();
  });
  afterAll(() => {
    const seconds = (processorSeconds() - before).toFixed(1);
    appendFileSync(ledger, `${seconds} ${basename(expect.getState().testPath ?? '', '.test.ts')}\n`);
  });
}

/** User and system time, of this process and of its ended children. */
function processorSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The name of the program, in parentheses, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}
