/** The arguments of `forerun trust`. */
import { type Command, Option } from 'commander';
import type { CommandHost } from '../setup/setup-program.ts';

interface TrustFlags {
  readonly list?: boolean;
  readonly revoke?: boolean;
  readonly json?: boolean;
}

export function addTrust(
  program: Command,
  { lifetime, finish, log }: Omit<CommandHost, 'milliseconds'>,
): void {
  program
    .command('trust')
    .description('let a workspace run its own programs, or revoke that')
    .argument('[dir]', 'the workspace (default: that of the current directory)')
    .addOption(new Option('--list', 'list the trusted workspaces').conflicts('revoke'))
    .option('--revoke', 'revoke the trust')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (directory: string | undefined, { list, revoke, json }: TrustFlags) => {
      const { trustCommand } = await import('./trust-command.ts');
      const action = list ? 'list' : revoke ? 'revoke' : 'trust';
      finish(
        await trustCommand(lifetime, { action, directory, format: json ? 'json' : 'human', log: log() }),
      );
    });
}

const help = `
Opening a repository must not execute code of its author. Until you trust a workspace, Forerun uses its own language
servers and those installed elsewhere on this machine. Of the workspace itself it does not run:
  - programs in node_modules, .venv and venv, and in parts of PATH that lie in the workspace
  - its own TypeScript, and its Python interpreter (installed packages are read, not run)
  - builds and tests (run_build, run_tests), and commands outside of the sandbox
Answers name what was not used. Trust a workspace if you would run its build yourself.

Trust is stored for a directory on this machine, in your state directory and never in the workspace. In a repository it
covers the packages inside, but no nested repository. --trust on other commands trusts the workspace for that process
only. To trust all workspaces in a folder:
  forerun config set trust.folders '["~/src"]'

Examples:
  forerun trust
  forerun trust ~/src/app
  forerun trust --list
  forerun trust --revoke ~/src/app`;
