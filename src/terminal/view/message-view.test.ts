import { expect, test } from 'vitest';
import { interruptNotice } from '../../agent/notice.ts';
import type { Message } from '../../model/message.ts';
import { textOfLine } from '../line/styled-line.ts';
import { messageLines } from './message-view.ts';

const call = (name: string): Message => ({
  role: 'assistant',
  content: [
    { kind: 'text', text: `**Using** ${name}` },
    { kind: 'tool-call', id: 'call_1', name, input: { kind: 'object', value: { file_path: 'a.ts' } } },
  ],
});

const result = (name: string, outcome: 'done' | 'failed', ...said: readonly string[]): Message => ({
  role: 'user',
  content: [
    { kind: 'tool-result', id: 'call_1', name, text: `${name} ${outcome}`, outcome },
    ...said.map((text) => ({ kind: 'text', text }) as const),
  ],
});

test('a conversation is shown as it was seen, and nothing that nobody said', () => {
  const messages: readonly Message[] = [
    {
      role: 'user',
      content: [
        { kind: 'text', text: '<environment>\nroot\n</environment>' },
        { kind: 'text', text: 'do it\nnow' },
      ],
    },
    call('Read'),
    result('Read', 'done'),
    call('Edit'),
    result('Edit', 'failed', interruptNotice, 'go on'),
    {
      role: 'assistant',
      content: [
        { kind: 'thinking', text: 'hm' },
        { kind: 'text', text: 'Done.' },
      ],
    },
    {
      role: 'user',
      content: [{ kind: 'text', text: '<environment>\n</environment>\n\n<summary>\nall\n</summary>' }],
    },
  ];
  const lines = messageLines(messages, { columns: 60, marks: 'styled' });
  expect(lines.map(textOfLine).join('\n')).toMatchInlineSnapshot(`
    "
    > do it
      now

    Using Read
    ● Read a.ts

    Using Edit
    ✗ Edit a.ts Edit failed
    interrupted

    > go on

    Done.
    (summarised here)"
  `);
});
