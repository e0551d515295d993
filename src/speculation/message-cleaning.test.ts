import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repairedSequence } from '../agent/message-sequence.ts';
import { haltedResult, interruptedResult, interruptNotice } from '../agent/notice.ts';
import { type Message, toolCallsOf, userText } from '../model/message.ts';
import { cleanMessages, isUntouched } from './message-cleaning.ts';

const call = (id: string) =>
  ({ kind: 'tool-call', id, name: 'Read', input: { kind: 'object', value: { file_path: id } } }) as const;
const result = (id: string, outcome: 'done' | 'failed' = 'done', text = 'text') =>
  ({ kind: 'tool-result', id, name: 'Read', text, outcome }) as const;
const text = (words: string) => ({ kind: 'text', text: words }) as const;
const thinking = { kind: 'thinking', text: 'hm', signature: 's' } as const;
const said = (...content: Extract<Message, { role: 'assistant' }>['content']): Message => ({
  role: 'assistant',
  content,
});
const received = (...content: Extract<Message, { role: 'user' }>['content']): Message => ({
  role: 'user',
  content,
});

const start = userText('go');

test.each<[string, readonly Message[], 'whole' | 'cut', readonly Message[]]>([
  [
    'thinking goes, the rest of its message stays',
    [start, said(thinking, text('a'), call('1')), received(result('1')), said(thinking, text('b'))],
    'whole',
    [start, said(text('a'), call('1')), received(result('1')), said(text('b'))],
  ],
  [
    'a call that failed goes with its result',
    [start, said(call('1'), call('2')), received(result('1', 'failed'), result('2')), said(text('b'))],
    'whole',
    [start, said(call('2')), received(result('2')), said(text('b'))],
  ],
  [
    'a call is told from another of the same name two rounds later',
    [
      start,
      said(call('1')),
      received(result('1')),
      said(call('1')),
      received(result('1', 'failed')),
      said(text('b')),
    ],
    'whole',
    [start, said(call('1')), received(result('1')), said(text('b'))],
  ],
  [
    'where nothing is left of a round, what was said around it is one message',
    [start, said(text('a'), call('1')), received(result('1', 'failed')), said(text('b'))],
    'whole',
    [start, said(text('a'), text('b'))],
  ],
  [
    'a notice of interruption goes',
    [start, said(call('1')), received(result('1', 'failed', interruptedResult), text(interruptNotice))],
    'cut',
    [start],
  ],
  [
    'calls at a boundary go, those made before it stay',
    [
      start,
      said(text('a'), call('1'), call('2')),
      received(result('1'), result('2', 'failed', haltedResult)),
    ],
    'cut',
    [start, said(text('a'), call('1')), received(result('1'))],
  ],
  [
    'a last word that led to a call goes where the model goes on',
    [start, said(text('I will push.'), call('1')), received(result('1', 'failed', haltedResult))],
    'cut',
    [start],
  ],
  ['a call nobody answered goes', [start, said(text('a'), call('1'))], 'whole', [start, said(text('a'))]],
])('%s', (_name, before, ending, after) => {
  expect(cleanMessages(before, { ending })).toEqual(after);
});

test('a command that ran and reported failure is an answer', () => {
  const messages = [
    start,
    said(call('1')),
    received(result('1', 'failed', 'Exit code 1.')),
    said(text('It fails.')),
  ];
  expect(cleanMessages(messages, { ending: 'whole', answered: new Set(['1']) })).toEqual(messages);
});

const part = fc.oneof(
  fc.constant(thinking),
  fc.constantFrom('a', 'b', ' ').map(text),
  fc.integer({ min: 1, max: 30 }).map((id) => call(String(id))),
);
const raw = fc
  .array(
    fc.record({
      parts: fc.array(part, { minLength: 1, maxLength: 4 }),
      outcome: fc.constantFrom('done', 'failed', 'halted', 'interrupted'),
    }),
    { maxLength: 8 },
  )
  .map((rounds) => {
    const taken = new Set<string>();
    const messages = rounds.flatMap(({ parts, outcome }) => {
      const fresh = parts.filter((each) => each.kind !== 'tool-call' || !taken.has(each.id));
      for (const each of fresh) if (each.kind === 'tool-call') taken.add(each.id);
      const unique = fresh.filter(
        (each, index) =>
          each.kind !== 'tool-call' ||
          fresh.findIndex((other) => other.kind === 'tool-call' && other.id === each.id) === index,
      );
      const message = said(...unique);
      const calls = message.role === 'assistant' ? toolCallsOf(message) : [];
      const answers = calls.map(({ id }) => {
        if (outcome === 'done' || outcome === 'failed') return result(id, outcome);
        return result(id, 'failed', outcome === 'halted' ? haltedResult : interruptedResult);
      });
      return [message, ...(answers.length > 0 ? [received(...answers)] : [received(text('go on'))])];
    });
    return repairedSequence([start, ...messages]);
  });

describe('whatever was said', () => {
  test('comes out sound, begins with the user, and ends with them where it was cut', () => {
    fc.assert(
      fc.property(raw, fc.constantFrom('whole', 'cut'), (messages, ending) => {
        const clean = cleanMessages(messages, { ending });
        expect(clean).toEqual(repairedSequence(clean));
        expect(clean[0]?.role).toBe('user');
        if (ending === 'cut') expect(clean.at(-1)?.role).toBe('user');
      }),
    );
  });

  test('is clean after once', () => {
    fc.assert(
      fc.property(raw, fc.constantFrom('whole', 'cut'), (messages, ending) => {
        const once = cleanMessages(messages, { ending });
        expect(isUntouched(once, cleanMessages(once, { ending }))).toBe(true);
      }),
    );
  });

  test('is the same object where nothing had to go', () => {
    fc.assert(
      fc.property(raw, (messages) => {
        const clean = cleanMessages(messages, { ending: 'whole' });
        const isSpotless = messages.every(({ content }) =>
          content.every(
            (each) => each.kind !== 'thinking' && (each.kind !== 'tool-result' || each.outcome === 'done'),
          ),
        );
        if (isSpotless) expect(isUntouched(messages, clean)).toBe(true);
      }),
    );
  });
});
