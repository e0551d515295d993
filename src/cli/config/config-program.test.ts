import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addConfig } from './config-program.ts';

test('settings are looked at and changed by four commands', () => {
  const program = new Command();
  addConfig(program, {
    lifetime: { signal: new AbortController().signal, closing: () => {} },
    finish: () => {},
  });
  const lines = program.commands[0]?.commands.map((command) => {
    const words = command.registeredArguments.map((argument) => `<${argument.name()}>`);
    return [command.name(), ...words, ...command.options.map(({ flags }) => flags)].join(' ');
  });
  expect(lines).toEqual([
    'get <key> --project --json',
    'set <key> <value> --project',
    'unset <key> --project',
    'list --project --json',
  ]);
});
