/**
 * `forerun chat`: a coding agent at a terminal, with speculation.
 *
 * Invariant: everything opened here is disposed in reverse order, however the chat ends.
 */
import { createInterface } from 'node:readline';
import type { PermissionMode } from '../../agent/permission/permission-guard.ts';
import type { TurnOutcome } from '../../agent/turn-event.ts';
import { onAbort } from '../../base/deadline.ts';
import type { Log } from '../../base/log.ts';
import { loadSettings } from '../../config/load-settings.ts';
import type { Settings } from '../../config/settings.ts';
import type { ConversationWish } from '../../host/chat/chat-host.ts';
import { ChatService } from '../../host/chat/chat-service.ts';
import { modelFinder, namedModel } from '../../host/chat/model-finder.ts';
import { Forerun } from '../../host/forerun.ts';
import { settingsPaths } from '../../host/settings-paths.ts';
import type { TrustGrant } from '../../host/user-trust.ts';
import type { FoundModel } from '../../model/discover-model.ts';
import { ModelFailure } from '../../model/model-failure.ts';
import { runChat } from '../../terminal/chat.ts';
import { runPlainChat } from '../../terminal/plain-chat.ts';
import { runSingleTurn } from '../../terminal/single-turn.ts';
import { TypedLines } from '../../terminal/typed-lines.ts';
import { cleanLater } from '../clean/clean-later.ts';
import { type ExitCode, exitCodes, failureText } from '../exit-code.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { askForTrust } from '../trust/trust-question.ts';
import { askedQueue } from '../worker/asked-queue.ts';

export interface ChatCommandOptions {
  readonly begin: ConversationWish;
  readonly model?: string;
  readonly mode?: PermissionMode;
  /** Off for this chat, regardless of the settings. */
  readonly speculation?: 'off';
  /** A single input, answered without a prompt. */
  readonly print?: string;
  readonly trust: TrustGrant;
  /** The address of a queue, or that of the settings; absent: changes are judged on this machine. */
  readonly queue?: string | true;
  readonly format: 'text' | 'json';
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

export async function chatCommand(
  { signal }: ProcessLifetime,
  options: ChatCommandOptions,
): Promise<ExitCode> {
  const { env, log, directory } = options;
  const settings = await settingsFor(options, signal);
  const find = modelFinder(settings, env);
  const found = await orNothing(find(undefined, signal));
  if (!found) return exitCodes.bad;
  const { trust } = options;
  await using evaluator = await askedQueue(options.queue, { priority: 'agent', env, log });
  await using forerun = new Forerun({ definitions: 'detect', log, env, trust, audit: {}, evaluator });
  const mode = modeOf(options);
  await using chat = await ChatService.open(
    forerun,
    {
      directory,
      settings,
      find: (name, caller) => (name === undefined ? Promise.resolve(found) : find(name, caller)),
      interaction: mode === 'terminal' ? 'interactive' : 'none',
      env,
      log,
    },
    signal,
  );
  const isPerson = mode !== 'print' && process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (isPerson && chat.trust === 'untrusted') await askForTrust({ root: chat.root, env, log }, signal);
  cleanLater(log, signal);
  return await modes[mode]({ chat, settings, options }, signal);
}

interface ChatParts {
  readonly chat: ChatService;
  readonly settings: Settings;
  readonly options: ChatCommandOptions;
}

type ChatMode = 'print' | 'terminal' | 'lines';

/** `lines` is for pipes and for terminals without cursor control. */
function modeOf({ print, env }: ChatCommandOptions): ChatMode {
  if (print !== undefined) return 'print';
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  return isTerminal && env.TERM !== 'dumb' ? 'terminal' : 'lines';
}

const modes: Readonly<Record<ChatMode, (parts: ChatParts, signal: AbortSignal) => Promise<ExitCode>>> = {
  async print({ chat, options }, signal) {
    const { conversation } = await chat.open(options.begin, undefined, signal);
    const { print: text = '', format } = options;
    const write = (line: string): void => void process.stdout.write(line);
    const outcome = await runSingleTurn({ conversation, text, format, write }, signal);
    return exitCodeOf(outcome, format);
  },
  async terminal({ chat, settings, options }, signal) {
    const { enabled, enterRuns } = settings.speculation;
    const { stdin: input, stdout: output } = process;
    const colour = options.env.NO_COLOR ? 'plain' : 'coloured';
    const speculation = enabled ? 'on' : 'off';
    const shown = { input, output, colour, enterRuns, speculation } as const;
    await runChat({ ...shown, host: chat, history: chat.history, begin: options.begin }, signal);
    return exitCodes.good;
  },
  async lines({ chat, options }, signal) {
    const reader = createInterface({ input: process.stdin, terminal: false });
    onAbort(signal, () => reader.close());
    const lines = new TypedLines(reader[Symbol.asyncIterator]());
    const write = (text: string): void => void process.stdout.write(text);
    const isPerson = process.stdin.isTTY === true;
    const columns = process.stdout.columns || 80;
    await runPlainChat(
      { lines, write, columns, isPerson, host: chat, history: chat.history, begin: options.begin },
      signal,
    );
    reader.close();
    return exitCodes.good;
  },
};

async function settingsFor(options: ChatCommandOptions, signal: AbortSignal): Promise<Settings> {
  const { env, directory, mode, speculation } = options;
  const { provider, name } = namedModel(options.model);
  const { settings, warnings } = await loadSettings(
    {
      files: settingsPaths(env, directory),
      env,
      flags: {
        'model.provider': provider,
        'model.name': name,
        'permissions.mode': mode,
        'speculation.enabled': speculation === 'off' ? false : undefined,
      },
    },
    signal,
  );
  for (const warning of warnings) process.stderr.write(`forerun: ${warning}\n`);
  return settings;
}

/** Undefined if no model was found, after printing the failure and its remedy. */
async function orNothing(finding: Promise<FoundModel>): Promise<FoundModel | undefined> {
  try {
    return await finding;
  } catch (thrown) {
    if (!(thrown instanceof ModelFailure)) throw thrown;
    process.stderr.write(failureText(thrown));
    return undefined;
  }
}

/** `good` for an answer, `bad` for a failure, `unknown` if the turn stopped before it was done. */
function exitCodeOf(outcome: TurnOutcome, format: 'text' | 'json'): ExitCode {
  if (outcome.kind === 'answered') return exitCodes.good;
  if (outcome.kind !== 'failed') return exitCodes.unknown;
  if (format === 'text') process.stderr.write(failureText(outcome.failure));
  return exitCodes.bad;
}
