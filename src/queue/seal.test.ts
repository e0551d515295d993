import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Seal, type SealPurpose } from './seal.ts';

const secret = 'a secret of enough characters';
const seal = new Seal(secret);

test('a sealed text opens for its purpose and subject, and for nothing else', () => {
  const purpose = fc.constantFrom<SealPurpose>('job', 'answer', 'progress', 'worker');
  fc.assert(
    fc.property(purpose, purpose, fc.string(), fc.string(), fc.string(), (one, other, id, otherId, text) => {
      const sealed = seal.close(one, id, text);
      expect(seal.open(one, id, sealed)).toBe(text);
      const isSame = one === other && id === otherId;
      expect(seal.open(other, otherId, sealed)).toBe(isSame ? text : undefined);
    }),
  );
});

test.each<[string, (sealed: string) => string]>([
  ['another secret', () => new Seal('another secret of this length').close('job', 'j1', 'text')],
  ['a changed text', (sealed) => `${sealed}!`],
  ['a changed mark', (sealed) => sealed.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))],
  ['no mark', () => 'text'],
  ['an empty text', () => ''],
  ['a mark of another length', (sealed) => sealed.slice(2)],
])('%s is not accepted', (_, change) => {
  expect(seal.open('job', 'j1', change(seal.close('job', 'j1', 'text')))).toBeUndefined();
});

test.each([undefined, '', 'short'])('the secret %j is refused by name', (given) => {
  expect(() => new Seal(given)).toThrow(expect.objectContaining({ code: 'queue/no-secret' }));
});

test('looking at the seal does not show the secret', () => {
  expect(inspect(seal, { showHidden: true }) + JSON.stringify(seal)).not.toContain(secret);
});
