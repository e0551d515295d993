/** `forerun edit` as a person types it. */
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandHost } from '../setup/setup-program.ts';
import { trustOption } from '../trust/trust-option.ts';

interface EditFlags {
  readonly open: boolean;
  readonly port: number;
  readonly json?: boolean;
  readonly trust?: boolean;
  readonly sample?: boolean;
}

export function addEdit(
  program: Command,
  { lifetime, finish, log }: Omit<CommandHost, 'milliseconds'>,
): void {
  program
    .command('edit')
    .description('open an editor in the browser that shows what unsaved text would break')
    .argument('[directory]', 'the workspace to open (default: the working directory)')
    .option('--no-open', 'print the address and start no browser')
    .option('--port <number>', 'port to listen on, of 127.0.0.1 (default: any free one)', portNumber, 0)
    .option('--json', 'print the address as JSON')
    .option(
      '--sample',
      'show one verdict, then open a copy of the sample workspace, with MCP over HTTP beside it',
    )
    .addOption(trustOption())
    .addHelpText('after', '\nExamples:\n  forerun edit\n  forerun edit ../shop --no-open --port 4000')
    .action(async (directory: string | undefined, flags: EditFlags) => {
      if (flags.sample) {
        const { sampleCommand } = await import('./sample-command.ts');
        finish(await sampleCommand(lifetime, { port: flags.port, env: process.env, log: log() }));
        return;
      }
      const { editCommand } = await import('./edit-command.ts');
      finish(
        await editCommand(lifetime, {
          directory: directory ?? process.cwd(),
          port: flags.port,
          browser: flags.open ? 'open' : 'leave',
          format: flags.json ? 'json' : 'text',
          trust: flags.trust ? 'granted' : 'stored',
          env: process.env,
          log: log(),
        }),
      );
    });
}

function portNumber(word: string): number {
  const port = Number(word);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError('It must be a port number.');
  }
  return port;
}
