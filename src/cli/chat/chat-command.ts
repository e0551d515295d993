/**
 * `forerun chat`: an agent at a terminal, that runs ahead of its user.
 *
 * Invariant: everything opened here is disposed in the reverse order, whatever ends the chat.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { PermissionMode } from '../../agent/permission/permission-guard.ts';
import type { TurnOutcome } from '../../agent/turn-event.ts';
import { onAbort } from '../../base/abort-listener.ts';
import { isMissing } from '../../base/errno.ts';
import type { Log } from '../../base/log.ts';
import { loadSettings } from '../../config/load-settings.ts';
import type { Settings } from '../../config/settings.ts';
import { discoverModel, type FoundModel, type ModelWish } from '../../model/discover-model.ts';
import { ModelFailure } from '../../model/model-failure.ts';
import { providerNames } from '../../model/provider.ts';
import { OutcomeLog } from '../../storage/outcome-log.ts';
import { TranscriptShelf } from '../../storage/transcript-shelf.ts';
import { runChat } from '../../terminal/chat.ts';
import type { ConversationWish } from '../../terminal/chat-host.ts';
import { runPlainChat } from '../../terminal/plain-chat.ts';
import { runSingleTurn } from '../../terminal/single-turn.ts';
import { TypedLines } from '../../terminal/typed-lines.ts';
import { auditPathOf } from '../audit/audit-choice.ts';
import { cleanLater } from '../clean/clean-later.ts';
import { settingsPlaces } from '../config/config-places.ts';
import { type ExitCode, exitCodes, failureText } from '../exit-code.ts';
import { House } from '../house.ts';
import type { Life } from '../lifetime.ts';
import { askForTrust } from '../trust/trust-question.ts';
import type { TrustGrant } from '../trust/user-trust.ts';
import { KeptHistory } from './chat-history.ts';
import { chatPlaces } from './chat-places.ts';
import { ChatRoom } from './chat-room.ts';

export interface ChatCommandOptions {
  readonly begin: ConversationWish;
  readonly model?: string;
  readonly mode?: PermissionMode;
  /** Off for this chat, whatever the settings say. */
  readonly speculation?: 'off';
  /** Asked and answered, without a prompt. */
  readonly print?: string;
  readonly trust: TrustGrant;
  readonly format: 'text' | 'json';
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

export async function chatCommand({ signal }: Life, options: ChatCommandOptions): Promise<ExitCode> {
  const { env, log, directory } = options;
  const settings = await settingsFor(options, signal);
  const find = (name: string | undefined, caller: AbortSignal): Promise<FoundModel> =>
    discoverModel({ wish: { ...settings.model, ...wishOf(name) }, env, keys: settings.keys }, caller);
  const found = await orNothing(find(undefined, signal));
  if (!found) return exitCodes.bad;
  const auditPath = auditPathOf(undefined, env);
  await using house = new House({
    definitions: 'detect',
    log,
    sessions: 'memory',
    trust: options.trust,
    ...(auditPath && { auditPath }),
  });
  const open = await house.workspaces.open(directory, signal);
  const { root } = open.workspace;
  const door = doorOf(options);
  const isPerson = door !== 'print' && process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (isPerson && open.live.trust === 'untrusted') await askForTrust({ root, env, log }, signal);
  const places = chatPlaces(env, root);
  await using outcomes = new OutcomeLog({ path: places.outcomes, log });
  await using history = new KeptHistory(places.history, log);
  cleanLater(log, signal);
  await using room = new ChatRoom({
    house,
    open,
    settings,
    find: (name, caller) => (name === undefined ? Promise.resolve(found) : find(name, caller)),
    shelf: new TranscriptShelf(places.state, root),
    outcomes,
    instructions: await instructionsIn(root),
    interaction: door === 'terminal' ? 'interactive' : 'none',
    env,
    log,
  });
  return await doors[door]({ room, history, settings, options }, signal);
}

/** What every way of talking needs. */
interface Talk {
  readonly room: ChatRoom;
  readonly history: KeptHistory;
  readonly settings: Settings;
  readonly options: ChatCommandOptions;
}

type Door = 'print' | 'terminal' | 'lines';

/** A terminal that cannot move its cursor is talked to in lines, and so is whatever is no terminal. */
function doorOf({ print, env }: ChatCommandOptions): Door {
  if (print !== undefined) return 'print';
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  return isTerminal && env.TERM !== 'dumb' ? 'terminal' : 'lines';
}

const doors: Readonly<Record<Door, (talk: Talk, signal: AbortSignal) => Promise<ExitCode>>> = {
  async print({ room, options }, signal) {
    const { conversation } = await room.open(options.begin, undefined, signal);
    const { print: text = '', format } = options;
    const write = (line: string): void => void process.stdout.write(line);
    const outcome = await runSingleTurn({ conversation, text, format, write }, signal);
    return exitCodeOf(outcome, format);
  },
  async terminal({ room, history, settings, options }, signal) {
    const { enabled, enterRuns } = settings.speculation;
    const { stdin: input, stdout: output } = process;
    const colour = options.env.NO_COLOR ? 'plain' : 'coloured';
    const speculation = enabled ? 'on' : 'off';
    const shown = { input, output, colour, enterRuns, speculation } as const;
    await runChat({ ...shown, host: room, history, begin: options.begin }, signal);
    return exitCodes.good;
  },
  async lines({ room, history, options }, signal) {
    const reader = createInterface({ input: process.stdin, terminal: false });
    onAbort(signal, () => reader.close());
    const lines = new TypedLines(reader[Symbol.asyncIterator]());
    const write = (text: string): void => void process.stdout.write(text);
    const isPerson = process.stdin.isTTY === true;
    const columns = process.stdout.columns || 80;
    await runPlainChat(
      { lines, write, columns, isPerson, host: room, history, begin: options.begin },
      signal,
    );
    reader.close();
    return exitCodes.good;
  },
};

async function settingsFor(options: ChatCommandOptions, signal: AbortSignal): Promise<Settings> {
  const { env, directory, mode, speculation } = options;
  const { provider, name } = wishOf(options.model);
  const { settings, warnings } = await loadSettings(
    {
      files: settingsPlaces(env, directory),
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

/** A model as a person names it: `qwen3:8b`, or with its provider `ollama/qwen3:8b`. */
function wishOf(word: string | undefined): Pick<ModelWish, 'provider' | 'name'> {
  if (word === undefined) return {};
  const provider = providerNames.find((each) => word.startsWith(`${each}/`));
  return provider ? { provider, name: word.slice(provider.length + 1) } : { name: word };
}

/** Without a model there is nothing to talk to; the sentence says what to do. */
async function orNothing(finding: Promise<FoundModel>): Promise<FoundModel | undefined> {
  try {
    return await finding;
  } catch (thrown) {
    if (!(thrown instanceof ModelFailure)) throw thrown;
    process.stderr.write(failureText(thrown));
    return undefined;
  }
}

const instructionFiles = ['AGENTS.md', 'CLAUDE.md'] as const;
const longestInstructions = 32_000;

/** What the project asks of agents, in its own words. */
async function instructionsIn(root: string): Promise<string | undefined> {
  for (const name of instructionFiles) {
    try {
      return (await readFile(join(root, name), 'utf8')).slice(0, longestInstructions);
    } catch (thrown) {
      if (!isMissing(thrown)) throw thrown;
    }
  }
  return undefined;
}

/** An answer is good; a failure is bad; what stopped before it was done is neither. */
function exitCodeOf(outcome: TurnOutcome, format: 'text' | 'json'): ExitCode {
  if (outcome.kind === 'answered') return exitCodes.good;
  if (outcome.kind !== 'failed') return exitCodes.unknown;
  if (format === 'text') process.stderr.write(failureText(outcome.failure));
  return exitCodes.bad;
}
