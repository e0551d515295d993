/**
 * The commands as a person types them, with their help.
 *
 * Invariant: each command loads its own module only when it runs.
 */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { isAtLeast, Log } from '../base/log.ts';
import { levelOfEnvironment } from '../config/environment.ts';
import { version } from '../host/version.ts';
import { lineOf } from '../mcp/log-sink.ts';
import { addAudit } from './audit/audit-program.ts';
import { addBench } from './bench-tools/bench-program.ts';
import { addChat } from './chat/chat-program.ts';
import { addClean } from './clean/clean-program.ts';
import { addConfig } from './config/config-program.ts';
import { addDaemon } from './daemon/daemon-program.ts';
import { addEdit } from './edit/edit-program.ts';
import { exitCodes } from './exit-code.ts';
import type { ColorChoice } from './print/palette.ts';
import type { ProcessLifetime } from './process-lifetime.ts';
import { addSetupCommands } from './setup/setup-program.ts';
import { addSkills } from './skills/skills-program.ts';
import { addStats } from './stats/stats-program.ts';
import { grantOf, trustOption } from './trust/trust-option.ts';
import { addTrust } from './trust/trust-program.ts';

/** Runs the command the words name and answers its exit code. */
export async function runProgram(lifetime: ProcessLifetime, words: readonly string[]): Promise<number> {
  let code: number = exitCodes.good;
  const program = buildProgram(lifetime, (answered) => {
    code = answered;
  });
  if (words.length === 0) {
    process.stdout.write(program.helpInformation());
    return code;
  }
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    return thrown.exitCode === 0 ? exitCodes.good : exitCodes.usage;
  }
  return code;
}

/** Exported for the pin of the public surface; `runProgram` is the way in. */
export function buildProgram(lifetime: ProcessLifetime, finish: (code: number) => void): Command {
  const program = new Command('forerun')
    .description('Shows what a change to code would do before it happens.')
    .version(version, '-V, --version')
    .helpCommand('help [command]', 'show the help of a command')
    .exitOverride()
    .addHelpText('after', doors);
  addMcp(program);
  addWhatif(program, lifetime, finish);
  addDoctor(program, lifetime, finish);
  addCall(program, lifetime, finish);
  addStatus(program, lifetime, finish);
  addDemo(program, lifetime, finish);
  addTrust(program, { lifetime, finish, log: commandLog });
  addChat(program, { lifetime, finish, log: commandLog });
  addEdit(program, { lifetime, finish, log: commandLog });
  addConfig(program, { lifetime, finish });
  addBench(program, { lifetime, finish, log: commandLog, milliseconds });
  addStats(program, { lifetime, finish, wholeNumber: milliseconds });
  addAudit(program, { finish, wholeNumber: milliseconds });
  addClean(program, { lifetime, finish });
  addSetupCommands(program, { lifetime, finish, log: commandLog, milliseconds });
  addSkills(program, { lifetime, finish, log: commandLog, milliseconds });
  addDaemon(program, { lifetime, finish, log: commandLog, milliseconds });
  return program;
}

const doors = `
Where to begin:
  forerun demo                       see verdicts on a sample, nothing to set up
  forerun whatif                     what do my uncommitted changes break?
  forerun chat                       talk to a coding agent that works ahead of you
  forerun edit                       an editor that shows what unsaved text would break
  forerun doctor                     which language servers work on this machine?
  forerun init                       connect a coding agent
  forerun trust                      let this workspace run its own programs
  forerun mcp                        serve the tools to a coding agent (stdio)`;

/** Listed for its help only: serving is started before any of this is loaded. */
function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('serve the tools to a coding agent over MCP (stdio or HTTP)')
    .argument(
      '[servers...]',
      'language:binary[,args…] …, or one <language> <binary> [args…]; default: detect',
    )
    .option('--auto', 'detect the installed servers (the default)')
    .option('--config <file>', 'take the servers from a JSON file')
    .option('--merge-config <file>', 'lay the servers of a JSON file over the detected ones')
    .option('--log-level <level>', 'least severe level to log (default: info)')
    .addOption(
      new Option(
        '--toolset <set>',
        'list every tool, or a dozen and a search for the rest (default: full)',
      ).choices(['full', 'core']),
    )
    .addOption(
      new Option(
        '--daemon <when>',
        'share warm servers with other processes (default: auto, in large workspaces)',
      ).choices(['auto', 'on', 'off']),
    )
    .option('--audit-log <path>', 'record calls here, or off (default: ~/.forerun/audit.jsonl)')
    .option('--root <dir>', 'open workspaces below this directory only; may be repeated (default: anywhere)')
    .option('--http', 'serve over HTTP instead of standard input and output')
    .option('--port <number>', 'port to listen on (default: 8080)')
    .option('--listen-addr <ip>', 'address to listen on (default: 127.0.0.1)')
    .option('--token-file <path>', 'file with the token clients must present (or set FORERUN_TOKEN)')
    .option('--token <secret>', 'the token itself; visible in the process list')
    .option('--no-auth', 'serve without a token, on a loopback address only')
    .option('--allow-host <name>', 'a further name this server is reached by; may be repeated')
    .addOption(trustOption())
    .addHelpText(
      'after',
      '\nExamples:\n  forerun mcp\n  FORERUN_TOKEN=… forerun mcp --http --port 8080\n  forerun mcp go:gopls typescript:typescript-language-server,--stdio\n  forerun mcp --config servers.json',
    );
}

function addWhatif(program: Command, lifetime: ProcessLifetime, finish: (code: number) => void): void {
  program
    .command('whatif')
    .description(
      'judge a change before it is committed; exit 0 clean, 1 broken, 2 no verdict, 64 wrong usage',
    )
    .argument(
      '[patches...]',
      'a patch file, or - for standard input; several are judged apart and ranked; none: the uncommitted changes',
    )
    .option('--staged', 'judge what is staged, as a commit would hold it')
    .option(
      '--root <dir>',
      'directory the paths of the patch start from (default: the top of the repository)',
    )
    .addOption(
      new Option('--scope <scope>', 'how far to look').choices(['file', 'workspace']).default('workspace'),
    )
    .option('--timeout <ms>', 'how long to wait for each server', milliseconds, 60_000)
    .addOption(new Option('--json', 'answer as JSON').conflicts('sarif'))
    .option('--sarif', 'answer as SARIF 2.1.0')
    .option('--rank', 'the patches are alternatives: exit by the best of them')
    .addOption(trustOption())
    .addOption(colorOption())
    .addHelpText('after', whatifHelp)
    .action(async (patches: string[], options: WhatifFlags) => {
      const { whatifCommand } = await import('./whatif/whatif-command.ts');
      const { root, scope, timeout: timeoutMs, color } = options;
      const format = options.json ? 'json' : options.sarif ? 'sarif' : 'human';
      const exitBy = options.rank ? 'best' : undefined;
      const pending = options.staged ? 'staged' : 'uncommitted';
      if (options.staged && patches.length > 0) throw usageError('--staged takes no patch.');
      if (options.rank && patches.length === 0) throw usageError('--rank needs patches to rank.');
      const trust = await grantOf(options.trust, lifetime.signal, root);
      const asked = { patches, pending, root, scope, timeoutMs, format, exitBy, color, trust } as const;
      finish(await whatifCommand(lifetime, { ...asked, log: commandLog() }));
    });
}

const whatifHelp = `
Without a patch, everything on disk that the last commit does not hold is judged: edits, new files that git does not
ignore, deletions. A patch that is applied already is judged against the files without it.

Several patches are judged at once, each as if it were the only one, and listed best first: clean, unknown,
broken; then fewest introduced errors, most resolved, fewest lines. Exit code of several patches:
  without --rank   0 all clean, 1 one is broken, 2 one is unknown or failed and none is broken
  with --rank      that of the best one: 0 if there is a clean one to take

Examples:
  forerun whatif                     what do my uncommitted changes break?
  forerun whatif --staged            what would this commit break?
  git diff main | forerun whatif -
  forerun whatif change.patch --json
  forerun whatif --rank first.patch second.patch third.patch`;

interface WhatifFlags {
  readonly root?: string;
  readonly scope: 'file' | 'workspace';
  readonly timeout: number;
  readonly json?: boolean;
  readonly sarif?: boolean;
  readonly rank?: boolean;
  readonly staged?: boolean;
  readonly trust?: boolean;
  readonly color: ColorChoice;
}

function addDoctor(program: Command, lifetime: ProcessLifetime, finish: (code: number) => void): void {
  program
    .command('doctor')
    .description('prove which language servers work here; exit 1 if one fails')
    .argument('[specs...]', 'servers to examine as language:binary[,args…]; default: all that are installed')
    .option('--json', 'answer as JSON')
    .addOption(colorOption())
    .addOption(trustOption())
    .addHelpText('after', '\nExamples:\n  forerun doctor\n  forerun doctor go:gopls')
    .action(async (specs: string[], options: DoctorFlags) => {
      const { doctorCommand } = await import('./doctor/doctor-command.ts');
      const format = options.json ? 'json' : 'human';
      const { trust, color } = options;
      finish(
        await doctorCommand(lifetime, {
          specs,
          format,
          trust: await grantOf(trust, lifetime.signal),
          color,
          log: commandLog(),
        }),
      );
    });
}

interface DoctorFlags {
  readonly json?: boolean;
  readonly trust?: boolean;
  readonly color: ColorChoice;
}

function addCall(program: Command, lifetime: ProcessLifetime, finish: (code: number) => void): void {
  program
    .command('call')
    .description('run one tool and print its answer; exit 1 if the tool reports an error')
    .argument('<tool>', 'name of the tool')
    .argument('[arguments]', 'its arguments as JSON', '{}')
    .option('--json', 'print the whole result, not only its payload')
    .option('--trust', 'let the workspaces that this call names run their own programs, this once')
    .addHelpText(
      'after',
      '\nExample:\n  forerun call get_diagnostics \'{"file_path":"/work/app/src/main.ts"}\'',
    )
    .action(async (tool: string, given: string, options: CallFlags) => {
      const { callCommand } = await import('./call/call-command.ts');
      const output = options.json ? 'whole' : 'payload';
      // Its user has named the workspaces in the arguments.
      const trust = options.trust ? 'every-workspace' : [];
      finish(await callCommand(lifetime, { tool, arguments: given, output, trust, log: commandLog() }));
    });
}

interface CallFlags {
  readonly json?: boolean;
  readonly trust?: boolean;
}

function addStatus(program: Command, lifetime: ProcessLifetime, finish: (code: number) => void): void {
  program
    .command('status')
    .description('show the running forerun processes, their servers, sessions and memory')
    .option('--json', 'answer as JSON')
    .addOption(colorOption())
    .addHelpText('after', '\nExample:\n  forerun status')
    .action(async (options: { readonly json?: boolean; readonly color: ColorChoice }) => {
      const { statusCommand } = await import('./status/status-command.ts');
      finish(
        await statusCommand(lifetime, { format: options.json ? 'json' : 'human', color: options.color }),
      );
    });
}

function addDemo(program: Command, lifetime: ProcessLifetime, finish: (code: number) => void): void {
  program
    .command('demo')
    .description('watch verdicts on a sample workspace, then connect an agent')
    .addOption(colorOption())
    .addHelpText('after', '\nExample:\n  forerun demo')
    .action(async (options: { readonly color: ColorChoice }) => {
      const { demoCommand } = await import('./demo/demo-command.ts');
      finish(await demoCommand(lifetime, { color: options.color, log: commandLog() }));
    });
}

function colorOption(): Option {
  return new Option('--color <when>', 'colour the output')
    .choices(['auto', 'always', 'never'])
    .default('auto');
}

function usageError(message: string): CommanderError {
  process.stderr.write(`error: ${message}\n`);
  return new CommanderError(exitCodes.usage, 'forerun.usage', message);
}

function milliseconds(word: string): number {
  const value = Number(word);
  if (!Number.isInteger(value) || value <= 0)
    throw new InvalidArgumentError('It must be a positive whole number.');
  return value;
}

/** Commands are quiet: a person asked a question and wants its answer. */
function commandLog(): Log {
  const threshold = levelOfEnvironment(process.env).level ?? 'error';
  return new Log((record) => {
    if (isAtLeast(record.level, threshold)) process.stderr.write(`${lineOf(record)}\n`);
  });
}
