import { describe, expect, test } from 'vitest';
import { readSlashCommand, slashCommands } from './slash-command.ts';

describe('a line', () => {
  test.each([
    ['/help', 'help', ''],
    ['  /mode plan ', 'mode', 'plan'],
    ['/resume  1a2b', 'resume', '1a2b'],
  ])('%j asks for /%s with %j', (text, name, argument) => {
    expect(readSlashCommand(text)).toMatchObject({ command: { name }, argument });
  });

  test.each(['help', '/usr/bin/env is missing', '/ ', 'a /help', '/Help'])('%j asks for nothing', (text) => {
    expect(readSlashCommand(text)).toBeUndefined();
  });

  test('that asks for what there is not is told so', () => {
    expect(() => readSlashCommand('/nothing')).toThrow(
      expect.objectContaining({ code: 'terminal/unknown-command' }),
    );
  });
});

test('every command says what it is for', () => {
  expect(slashCommands.map(({ name }) => name)).toEqual([
    'help',
    'model',
    'mode',
    'clear',
    'compact',
    'resume',
    'todo',
    'diff',
    'undo',
    'speculation',
    'stats',
    'exit',
  ]);
  for (const { about } of slashCommands) expect(about).not.toBe('');
});
