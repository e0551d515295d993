/** `forerun bench …` as a person types it. */
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
  const bench = program.command('bench').description('measure what cannot be known without trying');
  bench
    .command('tools')
    .description('how reliably models call tools, one knob at a time; nothing they call is run')
    .option('--model <name...>', 'models to try (default: the one of the settings)')
    .addOption(new Option('--provider <name>', 'who runs them').choices(providerNames))
    .option('--base-url <address>', 'where they answer')
    .option('--prompt <id...>', 'only these prompts')
    .addOption(
      new Option(
        '--temperature <value...>',
        'temperatures to try; the first holds while the other knob is turned',
      )
        .argParser(listOf(temperature))
        .default([0, 0.8]),
    )
    .addOption(
      new Option(
        '--tools <count...>',
        'how many tools to offer; the first holds while the other knob is turned',
      )
        .argParser(listOf(wholeNumber))
        .default([8, 1, 17, 40]),
    )
    .addOption(
      new Option('--repeat <count>', 'how often each prompt is asked').argParser(wholeNumber).default(3),
    )
    .option('--json', 'answer as JSON')
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

/** What is given replaces the default, and several values make a list. */
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
    throw new InvalidArgumentError('It must be a number from 0 to 2.');
  }
  return value;
}
