/** The arguments of `forerun config`. */
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { CommandHost } from '../setup/setup-program.ts';
import type { ConfigAnswer, ConfigContext } from './config-command.ts';

type ConfigHost = Pick<CommandHost, 'lifetime' | 'finish'>;

export function addConfig(program: Command, { lifetime, finish }: ConfigHost): void {
  const config = program.command('config').description('show and change settings');
  const answer = async (work: Promise<ConfigAnswer>): Promise<void> => finish(print(await work));
  config
    .command('get')
    .description('print one setting; exit 1 if it is not set')
    .argument('<key>', 'for example model.name')
    .option('--project', 'only the value of the workspace')
    .option('--json', 'print JSON')
    .action(async (key: string, flags: ConfigFlags) => {
      const { configGet } = await import('./config-command.ts');
      await answer(configGet(contextOf(flags), key, lifetime.signal));
    });
  config
    .command('set')
    .description('write a setting to your settings, or to those of the workspace')
    .argument('<key>', 'for example model.name')
    .argument('<value...>', 'the value; several for a list; - reads it from standard input')
    .option('--project', 'write the settings of the workspace')
    .addHelpText('after', setExamples)
    .action(async (key: string, words: string[], flags: ConfigFlags) => {
      const { configSet } = await import('./config-command.ts');
      const isPiped = words.length === 1 && words[0] === '-';
      const piped = isPiped ? { piped: await text(process.stdin) } : {};
      await answer(configSet(contextOf(flags), { key, words, ...piped }, lifetime.signal));
    });
  config
    .command('unset')
    .description('remove a setting, so that its default applies')
    .argument('<key>', 'for example model.name')
    .option('--project', 'write the settings of the workspace')
    .action(async (key: string, flags: ConfigFlags) => {
      const { configUnset } = await import('./config-command.ts');
      await answer(configUnset(contextOf(flags), key, lifetime.signal));
    });
  config
    .command('list')
    .description('print all settings with their origin and meaning')
    .option('--project', 'only those of the workspace')
    .option('--json', 'print JSON')
    .action(async (flags: ConfigFlags) => {
      const { configList } = await import('./config-command.ts');
      await answer(configList(contextOf(flags), lifetime.signal));
    });
}

const setExamples = `
Examples:
  forerun config set model.name qwen3:8b
  forerun config set permissions.deny "Bash(rm:*)" "Edit(dist/**)"
  printf %s "$KEY" | forerun config set keys.anthropic -`;

interface ConfigFlags {
  readonly project?: boolean;
  readonly json?: boolean;
}

function contextOf({ project, json }: ConfigFlags): ConfigContext {
  return {
    env: process.env,
    directory: process.cwd(),
    scope: project ? 'project' : 'all',
    format: json ? 'json' : 'human',
  };
}

function print({ text: shown, warnings, code }: ConfigAnswer): number {
  for (const warning of warnings) process.stderr.write(`forerun: ${warning}\n`);
  process.stdout.write(shown);
  return code;
}
