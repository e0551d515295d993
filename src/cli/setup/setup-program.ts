/** The commands that connect agents, as a person types them. Each loads its own module only when it runs. */
import { type Command, Option } from 'commander';
import type { Log } from '../../base/log.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { grantOf, trustOption } from '../trust/trust-option.ts';

export interface CommandHost {
  readonly lifetime: ProcessLifetime;
  readonly finish: (code: number) => void;
  readonly log: () => Log;
  readonly milliseconds: (word: string) => number;
}

export function addSetupCommands(program: Command, host: CommandHost): void {
  addInit(program, host);
  addUninstall(program, host);
  addUpdate(program, host);
  addHook(program, host);
}

interface InitFlags {
  readonly target?: readonly string[];
  readonly path?: string;
  readonly toolset: 'full' | 'core';
  readonly nonInteractive?: boolean;
  readonly dryRun?: boolean;
}

function addInit(program: Command, { lifetime, finish, log }: CommandHost): void {
  program
    .command('init')
    .description(
      'connect a coding agent: writes our entry and rules into its files, and nothing else in them',
    )
    .option('--target <id...>', 'clients to connect, e.g. claude-code cursor codex (default: ask)')
    .option('--path <file>', 'a configuration file of any other client')
    .addOption(
      new Option('--toolset <set>', 'list every tool, or a dozen and a search for the rest')
        .choices(['full', 'core'])
        .default('full'),
    )
    .option('--non-interactive', 'ask nothing; without --target the first client is taken')
    .option('--dry-run', 'show the changes as a diff and write nothing')
    .addHelpText('after', '\nExamples:\n  forerun init\n  forerun init --target cursor --dry-run')
    .action(async ({ target = [], path, toolset, nonInteractive, dryRun }: InitFlags) => {
      const { initCommand } = await import('./init-command.ts');
      const interaction = nonInteractive ? 'none' : 'ask';
      const effect = dryRun ? 'show' : 'write';
      finish(
        await initCommand(lifetime, {
          targets: target,
          ...(path !== undefined && { path }),
          toolset,
          interaction,
          effect,
          log: log(),
        }),
      );
    });
}

function addUninstall(program: Command, { lifetime, finish, log }: CommandHost): void {
  program
    .command('uninstall')
    .description('take our entries, rules, skills and caches away again')
    .option('--dry-run', 'show the changes as a diff and write nothing')
    .addHelpText('after', '\nExample:\n  forerun uninstall --dry-run')
    .action(async ({ dryRun }: { readonly dryRun?: boolean }) => {
      const { uninstallCommand } = await import('./uninstall-command.ts');
      finish(await uninstallCommand(lifetime, { effect: dryRun ? 'show' : 'write', log: log() }));
    });
}

function addUpdate(program: Command, { lifetime, finish }: CommandHost): void {
  program
    .command('update')
    .description('say whether a newer version is out; exit 0 no, 1 yes, 2 could not be asked')
    .option('--check', 'only ask (it never installs anything either way)')
    .addHelpText('after', '\nExample:\n  forerun update --check')
    .action(async () => {
      const { updateCommand } = await import('./update-command.ts');
      finish(await updateCommand(lifetime));
    });
}

interface HookFlags {
  readonly scope: 'file' | 'workspace';
  readonly deadline: number;
  readonly approve?: boolean;
  readonly trust?: boolean;
}

function addHook(program: Command, { lifetime, finish, log, milliseconds }: CommandHost): void {
  program
    .command('hook')
    .description("judge the edit an agent's pre-edit hook tells of on standard input")
    .addOption(
      new Option('--scope <scope>', 'how far to look').choices(['file', 'workspace']).default('workspace'),
    )
    .option('--deadline <ms>', 'answer within this time, whatever is known then', milliseconds, 5000)
    .option('--approve', 'approve an edit proved clean, so that its user is not asked')
    .addOption(trustOption())
    .addHelpText(
      'after',
      '\nExample:\n  echo \'{"file_path":"src/a.ts","content":"let x: string = 1;"}\' | forerun hook',
    )
    .action(async ({ scope, deadline, approve, ...flags }: HookFlags) => {
      const { hookCommand } = await import('../hook/hook-command.ts');
      const proved = approve ? 'approve' : 'leave';
      const trust = await grantOf(flags.trust, lifetime.signal);
      finish(await hookCommand(lifetime, { scope, deadlineMs: deadline, proved, trust, log: log() }));
    });
}
