/**
 * What can be saved of a speculation that was not accepted, when the user says the same after all, or goes on from it:
 * the rounds in which the model only looked at things.
 *
 * Invariant: nothing is saved of a run unless everything it looked at is still as it was, and no call that did more
 * than look.
 */
import { anchorPath } from '../agent/files/path-anchor.ts';
import { toolNamed } from '../agent/reliability/repaired-reply.ts';
import { agentContextOf } from '../agent/tool-round.ts';
import { type Message, type ToolCallPart, toolCallsOf, type UserMessage } from '../model/message.ts';
import type { SeenFile } from '../tools/tool-result.ts';
import { hashContent } from '../workspace/content-hash.ts';
import type { BegunRun } from './agent-run.ts';
import { cleanMessages } from './message-cleaning.ts';

export interface Salvage {
  /** What follows the user's words: answers that call, and what came of the calls. */
  readonly messages: readonly Message[];
  readonly seen: readonly SeenFile[];
}

/** Undefined where there is nothing worth keeping. */
export async function salvageReads(begun: BegunRun): Promise<Salvage | undefined> {
  const { on, fork, files } = begun;
  if (on.conversation !== on.trunk || fork.todos !== on.conversation.todos) return undefined;
  const rounds = readingRounds(begun);
  if (rounds.length === 0) return undefined;
  for (const root of on.trunk.setup.roots) {
    const read = files.get(root.workspace);
    const stale = read ? await read.stale(root.files.overlay(), read.start) : [];
    if (stale.length > 0) return undefined;
  }
  const messages = rounds.flatMap(({ said, received }) => [said, received]);
  return {
    messages: cleanMessages(messages, { ending: 'cut' }),
    seen: await seenIn(
      begun,
      rounds.flatMap(({ calls }) => calls),
    ),
  };
}

interface ReadingRound {
  readonly said: Message;
  readonly received: UserMessage;
  readonly calls: readonly ToolCallPart[];
}

/** The rounds at the start in which every call was a look, and succeeded. */
function readingRounds({ from, fork }: BegunRun): readonly ReadingRound[] {
  const rounds: ReadingRound[] = [];
  const [, ...messages] = fork.history.messages.slice(from);
  for (let index = 0; index + 1 < messages.length; index += 2) {
    const [said, received] = messages.slice(index, index + 2);
    if (said?.role !== 'assistant' || received?.role !== 'user') break;
    const calls = toolCallsOf(said);
    const isReading = calls.length > 0 && calls.every((call) => isLook(fork, call) && isDone(received, call));
    if (!isReading) break;
    rounds.push({ said, received, calls });
  }
  return rounds;
}

function isLook({ setup: { agent } }: BegunRun['fork'], { name, input }: ToolCallPart): boolean {
  if (input.kind !== 'object') return false;
  return toolNamed(agent.tools, name)?.prepare(input.value).effect === 'reads';
}

function isDone({ content }: UserMessage, { id }: ToolCallPart): boolean {
  return content.some((part) => part.kind === 'tool-result' && part.id === id && part.outcome === 'done');
}

/** The files those calls were about, as they were shown, which is as they are. */
async function seenIn(
  { fork, files }: BegunRun,
  calls: readonly ToolCallPart[],
): Promise<readonly SeenFile[]> {
  const { reads } = fork;
  const { agent } = fork.setup;
  const seen: SeenFile[] = [];
  for (const { id, name, input } of calls) {
    const tool = toolNamed(agent.tools, name);
    if (!tool || input.kind !== 'object') continue;
    const context = agentContextOf(fork, id);
    const subject = await tool.prepare(input.value).subject(context);
    for (const { absolute } of subject.kind === 'paths' ? subject.paths : []) {
      const { root, path } = await anchorPath(context.roots, absolute);
      const start = files.get(root.workspace)?.start;
      const shown = reads.hashOf(absolute) === undefined ? undefined : await start?.read(path);
      if (shown) seen.push({ absolute, hash: hashContent(shown) });
    }
  }
  return seen;
}
