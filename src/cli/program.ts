/**
 * The commands with their arguments and help.
 *
 * Invariant: each command loads its module only when it runs.
 */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { isAtLeast, Log, type LogLevel, silentLog } from '../base/log.ts';
import { levelOfEnvironment } from '../config/environment.ts';
import { version } from '../host/version.ts';
import { lineOf } from '../mcp/log-sink.ts';
import { addAudit } from './audit/audit-program.ts';
import { addBench } from './bench-tools/bench-program.ts';
import { addChat } from './chat/chat-program.ts';
import { addClean } from './clean/clean-program.ts';
import { addCompletions } from './completions/completion-program.ts';
import { addConfig } from './config/config-program.ts';
import { addDaemon } from './daemon/daemon-program.ts';
import { addEdit } from './edit/edit-program.ts';
import { exitCodes } from './exit-code.ts';
import { colorOption } from './print/color-option.ts';
import type { ColorChoice } from './print/palette.ts';
import type { ProcessLifetime } from './process-lifetime.ts';
import { addSetupCommands } from './setup/setup-program.ts';
import { addSkills } from './skills/skills-program.ts';
import { addStats } from './stats/stats-program.ts';
import { grantOf, trustOption } from './trust/trust-option.ts';
import { addTrust } from './trust/trust-program.ts';
import { addWhatif } from './whatif/whatif-program.ts';
import { addWorker } from './worker/worker-program.ts';

/** Runs the named command and returns its exit code. */
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

/** Exported for the test that pins the public surface; callers use `runProgram`. */
export function buildProgram(lifetime: ProcessLifetime, finish: (code: number) => void): Command {
  const program = new Command('forerun')
    .description('Shows what a change to code would do before it happens.')
    .version(version, '-V, --version')
    .helpCommand('help [command]', 'show the help of a command')
    .exitOverride()
    .addHelpText('after', doors);
  let level: LogLevel = 'error';
  program.hook('preAction', async () => {
    level = await commandLevel();
  });
  const log = (): Log => commandLog(level);
  addMcp(program);
  addWhatif(program, { lifetime, finish, log, milliseconds });
  addDoctor(program, { lifetime, finish, log });
  addCall(program, { lifetime, finish, log });
  addStatus(program, lifetime, finish);
  addDemo(program, { lifetime, finish, log });
  addTrust(program, { lifetime, finish, log });
  addChat(program, { lifetime, finish, log });
  addEdit(program, { lifetime, finish, log });
  addConfig(program, { lifetime, finish });
  addBench(program, { lifetime, finish, log, milliseconds });
  addStats(program, { lifetime, finish, wholeNumber: milliseconds });
  addAudit(program, { finish, wholeNumber: milliseconds });
  addClean(program, { lifetime, finish });
  addSetupCommands(program, { lifetime, finish, log, milliseconds });
  addSkills(program, { lifetime, finish, log, milliseconds });
  addDaemon(program, { lifetime, finish, log, milliseconds });
  addWorker(program, { lifetime, finish, log, milliseconds });
  addCompletions(program);
  return program;
}

interface CommandParts {
  readonly lifetime: ProcessLifetime;
  readonly finish: (code: number) => void;
  /** Call it when the command runs: the level is known then. */
  readonly log: () => Log;
}

const doors = `
Where to begin:
  forerun demo                       see verdicts on a sample, nothing to set up
  forerun whatif                     what do my uncommitted changes break?
  forerun chat                       chat with a coding agent that works ahead of you
  forerun edit                       an editor that shows what unsaved text would break
  forerun doctor                     which language servers work on this machine?
  forerun init                       connect a coding agent
  forerun trust                      let this workspace run its own programs
  forerun mcp                        serve the tools to a coding agent (stdio)`;

/** Declared for its help only: serving starts before this module is loaded. */
function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('serve the tools to a coding agent over MCP (stdio or HTTP)')
    .argument(
      '[servers...]',
      'language:binary[,args…] …, or one <language> <binary> [args…]; default: detect',
    )
    .option('--auto', 'detect the installed servers (the default)')
    .option('--config <file>', 'use the servers of a JSON file')
    .option(
      '--merge-config <file>',
      'add the servers of a JSON file to the detected ones; its entries take precedence',
    )
    .option('--log-level <level>', 'minimum level of log messages (default: info)')
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
    .option('--audit-log <path>', 'write the audit log here, or off (default: ~/.forerun/audit.jsonl)')
    .option('--root <dir>', 'open workspaces below this directory only; may be repeated (default: anywhere)')
    .option('--queue', 'evaluate sessions on the workers of the queue in the settings (FORERUN_QUEUE)')
    .option('--http', 'serve over HTTP instead of standard input and output')
    .option('--port <number>', 'port to listen on (default: 8080)')
    .option('--listen-addr <ip>', 'address to listen on (default: 127.0.0.1)')
    .option('--token-file <path>', 'file with the token clients must present (or set FORERUN_TOKEN)')
    .option('--token <secret>', 'the token itself; visible in the process list')
    .option('--no-auth', 'serve without a token, on a loopback address only')
    .option('--allow-host <name>', 'a further host name of this server; may be repeated')
    .addOption(trustOption())
    .addHelpText(
      'after',
      '\nExamples:\n  forerun mcp\n  FORERUN_TOKEN=… forerun mcp --http --port 8080\n  forerun mcp go:gopls typescript:typescript-language-server,--stdio\n  forerun mcp --config servers.json',
    );
}

function addDoctor(program: Command, { lifetime, finish, log }: CommandParts): void {
  program
    .command('doctor')
    .description('test which language servers work here; exit 1 if one fails')
    .argument('[specs...]', 'servers to test as language:binary[,args…]; default: all that are installed')
    .option('--json', 'print JSON')
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
          log: log(),
        }),
      );
    });
}

interface DoctorFlags {
  readonly json?: boolean;
  readonly trust?: boolean;
  readonly color: ColorChoice;
}

function addCall(program: Command, { lifetime, finish, log }: CommandParts): void {
  program
    .command('call')
    .description('call one tool and print its result; exit 1 if the tool reports an error')
    .argument('<tool>', 'name of the tool')
    .argument('[arguments]', 'arguments of the tool as JSON', '{}')
    .option('--json', 'print the whole result, not only its payload')
    .option('--trust', 'let the workspaces named in this call run their own programs, for this call only')
    .addHelpText(
      'after',
      '\nExample:\n  forerun call get_diagnostics \'{"file_path":"/work/app/src/main.ts"}\'',
    )
    .action(async (tool: string, given: string, options: CallFlags) => {
      const { callCommand } = await import('./call/call-command.ts');
      const output = options.json ? 'whole' : 'payload';
      // The user has named the workspaces in the arguments.
      const trust = options.trust ? 'every-workspace' : [];
      finish(await callCommand(lifetime, { tool, arguments: given, output, trust, log: log() }));
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
    .option('--json', 'print JSON')
    .addOption(colorOption())
    .addHelpText('after', '\nExample:\n  forerun status')
    .action(async (options: { readonly json?: boolean; readonly color: ColorChoice }) => {
      const { statusCommand } = await import('./status/status-command.ts');
      finish(
        await statusCommand(lifetime, { format: options.json ? 'json' : 'human', color: options.color }),
      );
    });
}

function addDemo(program: Command, { lifetime, finish, log }: CommandParts): void {
  program
    .command('demo')
    .description('watch verdicts on a sample workspace, then connect an agent')
    .addOption(colorOption())
    .addHelpText('after', '\nExample:\n  forerun demo')
    .action(async (options: { readonly color: ColorChoice }) => {
      const { demoCommand } = await import('./demo/demo-command.ts');
      finish(await demoCommand(lifetime, { color: options.color, log: log() }));
    });
}

function milliseconds(word: string): number {
  const value = Number(word);
  if (!Number.isInteger(value) || value <= 0) throw new InvalidArgumentError('Give a positive integer.');
  return value;
}

/** Without a setting, commands log errors only: the user wants the answer. */
async function commandLevel(): Promise<LogLevel> {
  const { level } = levelOfEnvironment(process.env);
  if (level) return level;
  const { userSettings } = await import('../host/user-settings.ts');
  return userSettings(process.env, silentLog).log.level ?? 'error';
}

function commandLog(threshold: LogLevel): Log {
  return new Log((record) => {
    if (isAtLeast(record.level, threshold)) process.stderr.write(`${lineOf(record)}\n`);
  });
}
