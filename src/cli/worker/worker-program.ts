/** The arguments of `forerun worker`. */
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandHost } from '../setup/setup-program.ts';

interface WorkerFlags {
  readonly queue?: string;
  readonly repository: readonly string[];
  readonly prepare?: string;
  readonly concurrency?: number;
  readonly checkouts?: number;
  readonly name?: string;
  readonly metricsPort?: number;
  readonly metricsAddress: string;
}

export function addWorker(program: Command, { lifetime, finish, log }: CommandHost): void {
  program
    .command('worker')
    .description('evaluate changes for other machines, from a queue')
    .option('--queue <address>', 'redis://host, or rediss://host with TLS (default: FORERUN_QUEUE)')
    .requiredOption(
      '--repository <repository...>',
      'repositories to evaluate: addresses, directories, or beginnings of them that end in *',
    )
    .option('--prepare <command>', 'puts dependencies in place in a new checkout; it runs in the sandbox')
    .option('--concurrency <number>', 'jobs at the same time (default: one for each core)', positive)
    .option('--checkouts <number>', 'commits that are kept as directories (default: 4)', positive)
    .option('--name <name>', 'the name in answers, unique in the queue (default: host and process id)')
    .option('--metrics-port <port>', 'serve /health and /metrics over HTTP', port)
    .option('--metrics-address <ip>', 'the address to serve them on', '127.0.0.1')
    .addHelpText('after', help)
    .action(async (flags: WorkerFlags) => {
      const { workerCommand } = await import('./worker-command.ts');
      finish(await workerCommand(lifetime, { ...flags, env: process.env, log: log() }));
    });
}

function positive(word: string): number {
  const number = Number(word);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('give a whole number from 1.');
}

function port(word: string): number {
  const number = Number(word);
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number;
  throw new InvalidArgumentError('give a port.');
}

const help = `
Jobs come from forerun whatif --queue and from programs that use the library. They are signed: set FORERUN_QUEUE_SECRET to
the same secret here and there. A worker fetches commits with the git of its user, and runs no program of a repository
outside the sandbox. Ctrl+C or SIGTERM lets it finish its jobs, or return them to the queue.

Example:
  FORERUN_QUEUE_SECRET=… forerun worker --queue redis://queue.internal --repository 'https://git.example/team/*'`;
