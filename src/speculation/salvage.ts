/**
 * Salvages the reading rounds of a speculation that was not accepted, if the user sends the same input or one that
 * continues it.
 *
 * Invariant: a run is salvaged only if everything it read is unchanged, and only calls that read.
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
  /** The messages after the user's input: answers with calls, and their results. */
  readonly messages: readonly Message[];
  readonly seen: readonly SeenFile[];
}

/** Undefined if there is nothing to salvage. */
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

/** The leading rounds in which every call only read, and succeeded. */
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

/** The files of those calls, as they were shown and still are. */
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
