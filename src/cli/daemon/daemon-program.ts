/** The arguments of `forerun daemon`, and older names of its commands. */
import { type Command, Option } from 'commander';
import type { ColorChoice } from '../print/palette.ts';
import type { CommandHost } from '../setup/setup-program.ts';
import type { SpokenOrder } from './daemon-run.ts';

export function addDaemon(program: Command, host: CommandHost): void {
  const daemon = program
    .command('daemon')
    .description('show and stop language servers shared between processes');
  addStatus(daemon.command('status'), host);
  addStop(daemon.command('stop'), host);
  addLogs(daemon.command('logs'), host);
  addRun(daemon.command('run', { hidden: true }), host);
  addStatus(program.command('daemon-status', { hidden: true }), host);
  addStop(program.command('daemon-stop', { hidden: true }), host);
  addRun(program.command('daemon-broker', { hidden: true }), host);
}

function addStatus(command: Command, { lifetime, finish }: CommandHost): void {
  command
    .description('list the shared servers')
    .option('--json', 'print JSON')
    .addOption(
      new Option('--color <when>', 'colour the output').choices(['auto', 'always', 'never']).default('auto'),
    )
    .action(async ({ json, color }: { readonly json?: boolean; readonly color: ColorChoice }) => {
      const { daemonStatus } = await import('./daemon-status.ts');
      finish(await daemonStatus(lifetime, { format: json ? 'json' : 'human', color }));
    });
}

interface SelectionFlags {
  readonly root?: string | undefined;
  readonly rootDir?: string;
  readonly language?: string | undefined;
}

function addSelection(command: Command): Command {
  return command
    .option('--root <dir>', 'the workspace')
    .addOption(new Option('--root-dir <dir>').hideHelp())
    .option('--language <language>', 'a language, or the name of a server');
}

function selectionOf({ root, rootDir, language }: SelectionFlags): Pick<SelectionFlags, 'root' | 'language'> {
  return { root: root ?? rootDir, language };
}

function addStop(command: Command, { lifetime, finish }: CommandHost): void {
  addSelection(command)
    .description('stop shared servers; the next use starts new ones')
    .option('--all', 'stop all of them')
    .action(async ({ all, ...flags }: SelectionFlags & { readonly all?: boolean }) => {
      const { daemonStop } = await import('./daemon-stop.ts');
      finish(await daemonStop(lifetime, { all, ...selectionOf(flags) }));
    });
}

function addLogs(command: Command, { lifetime, finish }: CommandHost): void {
  addSelection(command)
    .description('print the logs of shared servers')
    .option('-f, --follow', 'continue with new lines')
    .action(async ({ follow, ...flags }: SelectionFlags & { readonly follow?: boolean }) => {
      const { daemonLogs } = await import('./daemon-logs.ts');
      finish(await daemonLogs(lifetime, { follow, ...selectionOf(flags) }));
    });
}

function addRun(command: Command, { lifetime, finish }: CommandHost): void {
  command
    .description('run a shared server (started by the program that uses it)')
    .option('--root-dir <dir>')
    .option('--language <language>')
    .option('--command <words>')
    .action(async (order: SpokenOrder) => {
      const { daemonRun } = await import('./daemon-run.ts');
      finish(await daemonRun(lifetime, order));
    });
}
