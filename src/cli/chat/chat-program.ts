/** `forerun chat` as a person types it. */
import { type Command, Option } from 'commander';
import type { PermissionMode } from '../../agent/permission/permission-guard.ts';
import type { CommandHost } from '../setup/setup-program.ts';
import { grantOf, trustOption } from '../trust/trust-option.ts';

/** Written out, because whoever asks for help need not load an agent. */
const modes = [
  'default',
  'acceptEdits',
  'plan',
  'bypassPermissions',
] as const satisfies readonly PermissionMode[];

interface ChatFlags {
  readonly resume?: string | true;
  readonly model?: string;
  readonly mode?: PermissionMode;
  readonly speculation: boolean;
  readonly print?: string;
  readonly json?: boolean;
  readonly trust?: boolean;
}

export function addChat(
  program: Command,
  { lifetime, finish, log }: Omit<CommandHost, 'milliseconds'>,
): void {
  program
    .command('chat')
    .description('talk to a coding agent that works ahead of you')
    .option('--resume [id]', 'go on with an earlier conversation (default: the last one)')
    .option('--model <name>', 'the model that answers, e.g. qwen3:8b or ollama/qwen3:8b')
    .addOption(new Option('--mode <mode>', 'what may be done without asking').choices(modes))
    .option('--no-speculation', 'do not work ahead')
    .option('-p, --print <text>', 'ask this, print the answer and exit; permission is never asked for')
    .addOption(trustOption())
    .option('--json', 'with --print: every event as a line of JSON, the result last')
    .addHelpText(
      'after',
      '\nExamples:\n  forerun chat\n  forerun chat --resume\n  forerun chat -p "what does src/main.ts do?" --json',
    )
    .action(async (flags: ChatFlags) => {
      const { chatCommand } = await import('./chat-command.ts');
      const { resume, model, mode, print } = flags;
      const id = typeof resume === 'string' ? resume : undefined;
      finish(
        await chatCommand(lifetime, {
          begin: resume === undefined ? { kind: 'begin' } : { kind: 'resume', id },
          ...(model !== undefined && { model }),
          ...(mode !== undefined && { mode }),
          ...(!flags.speculation && { speculation: 'off' }),
          ...(print !== undefined && { print }),
          trust: await grantOf(flags.trust, lifetime.signal),
          format: flags.json ? 'json' : 'text',
          directory: process.cwd(),
          env: process.env,
          log: log(),
        }),
      );
    });
}
