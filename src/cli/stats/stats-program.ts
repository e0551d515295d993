/** The arguments of `forerun stats`. */
import { realpath } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { ProcessLifetime } from '../process-lifetime.ts';

export interface StatsProgramParts {
  readonly lifetime: ProcessLifetime;
  readonly finish: (code: number) => void;
  /** Parses a positive integer. */
  readonly wholeNumber: (word: string) => number;
}

export function addStats(program: Command, { lifetime, finish, wholeNumber }: StatsProgramParts): void {
  program
    .command('stats')
    .description('show what speculation saved and cost')
    .addOption(new Option('--days <count>', 'number of days to include').argParser(wholeNumber).default(30))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  forerun stats --days 7')
    .action(async ({ days, json }: { readonly days: number; readonly json?: boolean }) => {
      const { statsCommand } = await import('./stats-command.ts');
      const { loadSettings } = await import('../../config/load-settings.ts');
      const { settingsPaths } = await import('../../host/settings-paths.ts');
      const { env } = process;
      const root = await realpath(process.cwd());
      const sources = { files: settingsPaths(env, root), env, flags: {} };
      const { settings } = await loadSettings(sources, lifetime.signal);
      const { dailyTokens } = settings.speculation;
      const format = json ? 'json' : 'human';
      const { text, code } = await statsCommand({ days, format, env, now: new Date(), root, dailyTokens });
      process.stdout.write(text);
      finish(code);
    });
}
