import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventLog } from './event-log.ts';

test('a page that names the last event it has receives exactly those after it', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.nat(60), (published, lastSeq) => {
      const log = new EventLog();
      for (let n = 0; n < published; n++) log.publish({ kind: 'file.changed', directories: [String(n)] });
      const missed = log.since(lastSeq);
      const after = Array.from(
        { length: Math.max(0, published - lastSeq) },
        (_, index) => lastSeq + 1 + index,
      );
      expect(missed?.map(({ seq }) => seq)).toEqual(lastSeq > published ? undefined : after);
    }),
  );
});

test('a page that was away for longer than the log reaches is given nothing rather than a gap', () => {
  const log = new EventLog();
  for (let n = 0; n < 6000; n++) log.publish({ kind: 'buffer.closed', path: 'a.ts' });
  expect(log.since(500)).toBeUndefined();
  expect(log.since(5999)).toHaveLength(1);
});
