/** The arguments of `forerun bench`. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ProviderName, providerNames } from '../../model/provider.ts';
import type { CommandHost } from '../setup/setup-program.ts';

interface BenchToolsFlags {
  readonly model?: readonly string[];
  readonly provider?: ProviderName;
  readonly baseUrl?: string;
  readonly prompt?: readonly string[];
  readonly temperature: readonly number[];
  readonly tools: readonly number[];
  readonly repeat: number;
  readonly json?: boolean;
}

export function addBench(
  program: Command,
  { lifetime, finish, milliseconds: wholeNumber }: CommandHost,
): void {
  const bench = program.command('bench').description('measure models on this machine');
  bench
    .command('tools')
    .description(
      'how reliably models call tools, varying one parameter at a time; the calls are not executed',
    )
    .option('--model <name...>', 'models to test (default: the one of the settings)')
    .addOption(new Option('--provider <name>', 'provider of the models').choices(providerNames))
    .option('--base-url <address>', 'base URL of the provider')
    .option('--prompt <id...>', 'only these prompts')
    .addOption(
      new Option(
        '--temperature <value...>',
        'temperatures to test; the first is used while the other parameter varies',
      )
        .argParser(listOf(temperature))
        .default([0, 0.8]),
    )
    .addOption(
      new Option(
        '--tools <count...>',
        'numbers of tools to offer; the first is used while the other parameter varies',
      )
        .argParser(listOf(wholeNumber))
        .default([8, 1, 17, 40]),
    )
    .addOption(new Option('--repeat <count>', 'repetitions of each prompt').argParser(wholeNumber).default(3))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  forerun bench tools --provider ollama --model qwen3:8b gemma3:12b')
    .action(async (flags: BenchToolsFlags) => {
      const { benchToolsCommand } = await import('./bench-tools-command.ts');
      finish(
        await benchToolsCommand(lifetime, {
          models: flags.model ?? [],
          provider: flags.provider,
          baseUrl: flags.baseUrl,
          prompts: flags.prompt ?? [],
          temperatures: flags.temperature,
          toolCounts: flags.tools,
          repeats: flags.repeat,
          format: flags.json ? 'json' : 'human',
        }),
      );
    });
}

/** Given values replace the default, and several values make a list. */
function listOf(read: (word: string) => number): (word: string, before: unknown) => readonly number[] {
  let given: readonly number[] = [];
  return (word) => {
    given = [...given, read(word)];
    return given;
  };
}

function temperature(word: string): number {
  const value = Number(word);
  if (word.trim() === '' || !(value >= 0 && value <= 2)) {
    throw new InvalidArgumentError('Give a number from 0 to 2.');
  }
  return value;
}
