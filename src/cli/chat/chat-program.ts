/** The arguments of `forerun chat`. */
import { type Command, Option } from 'commander';
import type { PermissionMode } from '../../agent/permission/permission-guard.ts';
import type { CommandHost } from '../setup/setup-program.ts';
import { grantOf, trustOption } from '../trust/trust-option.ts';
import { queueOption } from '../worker/queue-option.ts';

/** Repeated here so that printing help does not load the agent. */
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
  readonly queue?: string | true;
}

export function addChat(
  program: Command,
  { lifetime, finish, log }: Omit<CommandHost, 'milliseconds'>,
): void {
  program
    .command('chat')
    .description('chat with a coding agent that works ahead of you')
    .option('--resume [id]', 'continue an earlier conversation (default: the last one)')
    .option('--model <name>', 'the model to use, e.g. qwen3:8b or ollama/qwen3:8b')
    .addOption(new Option('--mode <mode>', 'what the agent may do without asking').choices(modes))
    .option('--no-speculation', 'turn speculation off')
    .option('-p, --print <text>', 'answer this prompt and exit; permissions are never asked for')
    .addOption(queueOption())
    .addOption(trustOption())
    .option('--json', 'with --print: one JSON event per line, the result last')
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
          ...(flags.queue !== undefined && { queue: flags.queue }),
          trust: await grantOf(flags.trust, lifetime.signal),
          format: flags.json ? 'json' : 'text',
          directory: process.cwd(),
          env: process.env,
          log: log(),
        }),
      );
    });
}
