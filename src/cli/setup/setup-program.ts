/** The arguments of the commands that connect agents. Each command loads its module only when it runs. */
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
  readonly toolset?: 'full' | 'core';
  readonly hooks?: 'warn' | 'deny' | 'turn' | true;
  readonly remove?: boolean;
  readonly nonInteractive?: boolean;
  readonly dryRun?: boolean;
}

function addInit(program: Command, { lifetime, finish, log }: CommandHost): void {
  program
    .command('init')
    .description('connect a coding agent: adds our entry and rules to its files and changes nothing else')
    .option('--target <id...>', 'clients to connect, e.g. claude-code cursor codex (default: ask)')
    .option('--path <file>', 'a configuration file of another client')
    .addOption(
      new Option(
        '--toolset <set>',
        'list every tool, or a dozen and a search for the rest (default: core)',
      ).choices(['full', 'core']),
    )
    .addOption(
      new Option('--hooks [mode]', 'have the client check every edit (default mode: warn)').choices([
        'warn',
        'deny',
        'turn',
      ]),
    )
    .option('--remove', 'remove our entry, hooks and rules from the files of the client')
    .option('--non-interactive', 'ask no questions; without --target the first client is used')
    .option('--dry-run', 'show the changes as a diff, and write nothing')
    .addHelpText('after', '\nExamples:\n  forerun init\n  forerun init --target cursor --dry-run')
    .action(async ({ target = [], path, toolset, hooks, remove, nonInteractive, dryRun }: InitFlags) => {
      const { initCommand } = await import('./init-command.ts');
      const interaction = nonInteractive ? 'none' : 'ask';
      const effect = dryRun ? 'show' : 'write';
      finish(
        await initCommand(lifetime, {
          targets: target,
          ...(path !== undefined && { path }),
          ...(toolset && { toolset }),
          ...(hooks !== undefined && { hooks: hooks === true ? 'warn' : hooks }),
          interaction,
          change: remove ? 'remove' : 'connect',
          effect,
          log: log(),
        }),
      );
    });
}

function addUninstall(program: Command, { lifetime, finish, log }: CommandHost): void {
  program
    .command('uninstall')
    .description('remove our entries, rules, skills and caches')
    .option('--dry-run', 'show the changes as a diff, and write nothing')
    .addHelpText('after', '\nExample:\n  forerun uninstall --dry-run')
    .action(async ({ dryRun }: { readonly dryRun?: boolean }) => {
      const { uninstallCommand } = await import('./uninstall-command.ts');
      finish(await uninstallCommand(lifetime, { effect: dryRun ? 'show' : 'write', log: log() }));
    });
}

function addUpdate(program: Command, { lifetime, finish }: CommandHost): void {
  program
    .command('update')
    .description('check for a newer version; exit 0 if none, 1 if there is one, 2 if the check failed')
    .option('--check', 'only check (the default; nothing is ever installed)')
    .addHelpText('after', '\nExample:\n  forerun update --check')
    .action(async () => {
      const { updateCommand } = await import('./update-command.ts');
      finish(await updateCommand(lifetime));
    });
}

interface HookFlags {
  readonly mode: 'warn' | 'deny' | 'turn';
  readonly scope: 'file' | 'workspace';
  readonly deadline?: number;
  readonly approve?: boolean;
  readonly trust?: boolean;
}

function addHook(program: Command, { lifetime, finish, log, milliseconds }: CommandHost): void {
  program
    .command('hook')
    .description("judge the edit or the turn that an agent's hook describes on standard input")
    .addOption(
      new Option(
        '--mode <mode>',
        'tell the agent of errors, deny the edit, or judge the whole turn at its end',
      )
        .choices(['warn', 'deny', 'turn'])
        .default('warn'),
    )
    .addOption(
      new Option('--scope <scope>', 'which files to check')
        .choices(['file', 'workspace'])
        .default('workspace'),
    )
    .option(
      '--deadline <ms>',
      'answer within this time, even without a verdict (default: 5000 for an edit, 30000 for a turn)',
      milliseconds,
    )
    .option('--approve', 'approve an edit proved clean, so that the user is not asked')
    .addOption(trustOption())
    .addHelpText(
      'after',
      '\nWhich agent asks is seen from the event: Claude Code, Gemini CLI, Qwen Code, Codex, opencode, Cursor, or a plain edit.\n\nExample:\n  echo \'{"file_path":"src/a.ts","content":"let x: string = 1;"}\' | forerun hook',
    )
    .action(async ({ mode, scope, deadline: deadlineMs, approve, ...flags }: HookFlags) => {
      const { hookCommand } = await import('../hook/hook-command.ts');
      const proved = approve ? 'approve' : 'leave';
      const trust = await grantOf(flags.trust, lifetime.signal);
      finish(await hookCommand(lifetime, { mode, scope, deadlineMs, proved, trust, log: log() }));
    });
}
