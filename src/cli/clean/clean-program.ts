/** The arguments of `forerun clean`. */
import type { Command } from 'commander';
import type { ProcessLifetime } from '../process-lifetime.ts';

export interface CleanProgramParts {
  readonly lifetime: ProcessLifetime;
  readonly finish: (code: number) => void;
}

interface CleanFlags {
  readonly dryRun?: boolean;
  readonly all?: boolean;
  readonly json?: boolean;
}

export function addClean(program: Command, { lifetime, finish }: CleanProgramParts): void {
  program
    .command('clean')
    .description('show stored files and remove those past their limits of age and size')
    .argument('[names...]', 'kinds to clean, e.g. conversations sessions references (default: all)')
    .option('--dry-run', 'show what would be removed, and remove nothing')
    .option('--all', 'remove everything that is not in use, whatever its age')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (names: string[], { dryRun, all, json }: CleanFlags) => {
      const { cleanCommand } = await import('./clean-command.ts');
      const options = {
        names,
        mode: all ? 'all' : 'limits',
        effect: dryRun ? 'show' : 'remove',
        format: json ? 'json' : 'human',
        env: process.env,
        now: Date.now(),
      } as const;
      const { text, code } = await cleanCommand(options, lifetime.signal);
      process.stdout.write(text);
      finish(code);
    });
}

const help = `
The limits are settings: see \`forerun config list\`, storage.*. Long-running processes apply them once a day.
Nothing that changed within a day is removed (with --all: within ten minutes), nor anything a process uses.

Examples:
  forerun clean --dry-run
  forerun clean --all conversations history`;
