import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flawsOf } from '../../test/support/agent-trial.ts';
import type { AssistantPart, Message, UserPart } from '../model/message.ts';
import { repairedSequence, withMessage } from './message-sequence.ts';

const ids = fc.constantFrom('a', 'b', 'c');
const text = fc.constant({ kind: 'text' as const, text: 'words' });
const call = ids.map(
  (id): AssistantPart => ({ kind: 'tool-call', id, name: 'Read', input: { kind: 'object', value: {} } }),
);
const result = ids.map(
  (id): UserPart => ({ kind: 'tool-result', id, name: 'Read', text: 'x', outcome: 'done' }),
);
const unique = <T extends UserPart | AssistantPart>(parts: readonly T[]): readonly T[] =>
  parts.filter(
    (part, index) => parts.findIndex((each) => JSON.stringify(each) === JSON.stringify(part)) === index,
  );
const message: fc.Arbitrary<Message> = fc.oneof(
  fc
    .array(fc.oneof(text, result), { maxLength: 4 })
    .map((content): Message => ({ role: 'user', content: unique(content) })),
  fc
    .array(fc.oneof(text, call), { maxLength: 4 })
    .map((content): Message => ({ role: 'assistant', content: unique(content) })),
);

test('whatever is left of a conversation is made sound, but for calls at its very end', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 8 }), (messages) => {
      const repaired = repairedSequence(messages);
      const closed =
        repaired.at(-1)?.role === 'assistant'
          ? repairedSequence([...messages, { role: 'user', content: [{ kind: 'text', text: 'next' }] }])
          : repaired;
      expect(flawsOf(closed)).toEqual([]);
    }),
  );
});

test('a sound conversation is left as it is', () => {
  const sound: readonly Message[] = [
    { role: 'user', content: [{ kind: 'text', text: 'hello' }] },
    {
      role: 'assistant',
      content: [{ kind: 'tool-call', id: 'a', name: 'Read', input: { kind: 'object', value: {} } }],
    },
    { role: 'user', content: [{ kind: 'tool-result', id: 'a', name: 'Read', text: 'x', outcome: 'done' }] },
    { role: 'assistant', content: [{ kind: 'text', text: 'done' }] },
  ];
  expect(repairedSequence(sound)).toEqual(sound);
});

test('what the same side says twice becomes one message', () => {
  const said = (words: string): Message => ({ role: 'user', content: [{ kind: 'text', text: words }] });
  expect(withMessage([said('one')], said('two'))).toEqual([
    {
      role: 'user',
      content: [
        { kind: 'text', text: 'one' },
        { kind: 'text', text: 'two' },
      ],
    },
  ]);
});
