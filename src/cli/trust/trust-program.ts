/** `forerun trust` as a person types it. */
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
    .description('let a workspace run programs of its own, or take that back')
    .argument('[dir]', 'the workspace (default: the one of the current directory)')
    .addOption(new Option('--list', 'show the trusted workspaces').conflicts('revoke'))
    .option('--revoke', 'trust it no longer')
    .option('--json', 'answer as JSON')
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
Opening a repository must not run what its author put into it. Until you trust a workspace, Forerun uses the
language servers that come with it and those installed elsewhere on this machine, and nothing that the workspace
brings along:
  - programs in node_modules, .venv and venv, and on parts of PATH that lie in the workspace
  - its own TypeScript, and its Python interpreter (installed packages are read, not run)
  - builds and tests (run_build, run_tests), and commands outside of the sandbox
Answers name what was not used. Trust a workspace when you would run its build yourself.

Trust is kept for a directory on this machine, in your own state directory and never in the workspace. In a
repository it covers the packages inside, but no repository nested in it. --trust on other commands trusts the
workspace for that process alone. To trust all workspaces of a folder:
  forerun config set trust.folders '["~/src"]'

Examples:
  forerun trust
  forerun trust ~/src/app
  forerun trust --list
  forerun trust --revoke ~/src/app`;
