/** The arguments of `forerun audit`. */
import { type Command, Option } from 'commander';

export interface AuditProgramParts {
  readonly finish: (code: number) => void;
  /** Parses a positive integer. */
  readonly wholeNumber: (word: string) => number;
}

export function addAudit(program: Command, { finish, wholeNumber }: AuditProgramParts): void {
  const audit = program.command('audit').description('show the audit log of tool calls');
  const file = (): Option =>
    new Option('--file <path>', 'the log to read (default: FORERUN_AUDIT_LOG, else ~/.forerun/audit.jsonl)');
  audit
    .command('tail')
    .description('print the last calls')
    .addOption(new Option('-n, --lines <count>', 'how many').argParser(wholeNumber).default(20))
    .addOption(file())
    .option('--json', 'print the raw records')
    .action(async (options: AuditFlags & { readonly lines: number }) => {
      const { auditTail } = await import('./audit-command.ts');
      finish(await auditTail({ file: options.file, format: formatOf(options), lines: options.lines }));
    });
  audit
    .command('stats')
    .description('summarise calls, failures and durations by tool')
    .addOption(file())
    .option('--json', 'print JSON')
    .action(async (options: AuditFlags) => {
      const { auditStats } = await import('./audit-command.ts');
      finish(await auditStats({ file: options.file, format: formatOf(options) }));
    });
}

interface AuditFlags {
  readonly file?: string;
  readonly json?: boolean;
}

function formatOf({ json }: AuditFlags): 'human' | 'json' {
  return json ? 'json' : 'human';
}
