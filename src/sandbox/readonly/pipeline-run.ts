/**
 * Runs the commands of a pipeline, each started by its argument vector and connected by our own pipes.
 *
 * Invariant: no text of the user is ever parsed by a shell. The launcher script consists of the constants below;
 * program, arguments and input file are passed as words.
 */
import { pipeline as joinStreams } from 'node:stream';
import { finished } from 'node:stream/promises';
import { onAbort } from '../../base/deadline.ts';
import { silentLog } from '../../base/log.ts';
import { type ChildHandle, spawnChild } from '../../process/child-process.ts';
import type { OutputRedirect } from '../../shell/syntax/shell-list.ts';
import type { PlacedCommand } from './command-world.ts';
import { type OpenFiles, openFiles } from './provided-file.ts';

/** A command that is ready to start. */
export interface ReadyCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly redirects: readonly OutputRedirect[];
  readonly input:
    | { readonly kind: 'file'; readonly path: string }
    | { readonly kind: 'text'; readonly text: string | Buffer }
    | undefined;
  /** The content of the files that it gets as descriptors, from 63 down. */
  readonly files?: readonly Buffer[];
}

export interface PipelineRequest {
  readonly commands: readonly ReadyCommand[];
  readonly place: (command: readonly string[]) => PlacedCommand;
  readonly stdout: { append(chunk: Buffer): void };
  readonly stderr: { append(chunk: Buffer): void };
}

/** The exit code of the last command; undefined if a signal terminated it. */
export async function runPipeline(
  request: PipelineRequest,
  signal: AbortSignal,
): Promise<number | undefined> {
  signal.throwIfAborted();
  const children: ChildHandle[] = [];
  const forget = onAbort(signal, () => {
    for (const child of children) void child.terminate(0);
  });
  const opened: OpenFiles[] = [];
  try {
    for (const { files = [] } of request.commands) opened.push(await openFiles(files));
    // From the first start to the connection nothing is awaited: what a child prints before it is connected would be lost.
    for (const [index, command] of request.commands.entries()) {
      const isPiped = index > 0 && command.input === undefined;
      const { env } = command;
      const launch = request.place(launcher(command, isPiped ? 'pipe' : 'none'));
      const files = opened[index]?.descriptors ?? new Map();
      children.push(spawnChild({ ...launch, env, log: silentLog, files }));
    }
    const printed = connect(children, request);
    const exits = await Promise.all(children.map((child) => child.exited));
    await printed;
    return exits.at(-1)?.code;
  } finally {
    forget();
    await Promise.all(children.map((child) => child.terminate(0)));
    await Promise.all(opened.map((files) => files[Symbol.asyncDispose]()));
  }
}

/** Connects the commands; resolves when all output has been read. */
async function connect(
  children: readonly ChildHandle[],
  { commands, stdout, stderr }: PipelineRequest,
): Promise<void> {
  const read: Promise<void>[] = [];
  for (const [index, child] of children.entries()) {
    child.stderr.on('data', (chunk: Buffer) => stderr.append(chunk));
    read.push(finished(child.stderr));
    const { input } = commands[index] ?? {};
    if (index === 0 || input) child.stdin.end(input?.kind === 'text' ? input.text : '');
    const next = children[index + 1];
    if (next === undefined) {
      child.stdout.on('data', (chunk: Buffer) => stdout.append(chunk));
      read.push(finished(child.stdout));
    }
    // The next command reads other input, so this output is discarded.
    else if (commands[index + 1]?.input) child.stdout.destroy();
    // A reader that closes its end early terminates the writer; this is not an error.
    else joinStreams(child.stdout, next.stdin, () => child.stdout.destroy());
  }
  await Promise.all(read);
}

const fragments: Readonly<Record<OutputRedirect, string>> = {
  '>/dev/null': '>/dev/null',
  '2>/dev/null': '2>/dev/null',
  '&>/dev/null': '>/dev/null 2>&1',
  '2>&1': '2>&1',
  '>&2': '>&2',
};

/** Without its input a command does not start, and fails as in bash; the shell here would end with another code. */
const readableOrFail = `test -r "$0" || { printf '%s: cannot be read\\n' "$0" >&2; exit 1; }`;

/** A constant script makes the redirections and then executes the program. */
function launcher(
  { program, args, redirects, input }: ReadyCommand,
  upstream: 'pipe' | 'none',
): readonly string[] {
  // Some programs check the type of their input: an empty pipe would be searched, the null device is not.
  const source = input?.kind === 'file' ? '<"$0"' : input || upstream === 'pipe' ? '' : '</dev/null';
  const check = input?.kind === 'file' ? [readableOrFail] : [];
  const run = ['exec "$@"', source, ...redirects.map((redirect) => fragments[redirect])].join(' ');
  const script = [...check, run].join('; ');
  return ['/bin/sh', '-c', script, input?.kind === 'file' ? input.path : 'sh', program, ...args];
}
