/** `forerun stats` as a person types it. */
import { type Command, Option } from 'commander';

export interface StatsProgramParts {
  readonly finish: (code: number) => void;
  /** Reads a positive whole number. */
  readonly wholeNumber: (word: string) => number;
}

export function addStats(program: Command, { finish, wholeNumber }: StatsProgramParts): void {
  program
    .command('stats')
    .description('sum up what working ahead saved and what it cost')
    .addOption(new Option('--days <count>', 'how far back').argParser(wholeNumber).default(30))
    .option('--json', 'answer as JSON')
    .addHelpText('after', '\nExample:\n  forerun stats --days 7')
    .action(async ({ days, json }: { readonly days: number; readonly json?: boolean }) => {
      const { statsCommand } = await import('./stats-command.ts');
      const format = json ? 'json' : 'human';
      const { text, code } = await statsCommand({ days, format, env: process.env, now: new Date() });
      process.stdout.write(text);
      finish(code);
    });
}
