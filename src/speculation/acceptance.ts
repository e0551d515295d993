/**
 * Makes a speculation real: its files, then its messages, then what it has seen.
 *
 * Invariants: nothing is written unless everything it looked at and everything it changes is still what it was shown;
 * files and messages come together or not at all; files go the one way that every other change goes.
 */
import type { Conversation } from '../agent/conversation.ts';
import type { AgentRoot } from '../agent/files/agent-root.ts';
import { Failure } from '../base/failure.ts';
import type { FileChange } from '../overlay/file-change.ts';
import { type LayerEntry, Overlay } from '../overlay/overlay.ts';
import { absentHash, type ContentHash, hashContent } from '../workspace/content-hash.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { AddedWork, AgentBranch } from './agent-branch.ts';
import type { Landing, Run } from './speculation-ports.ts';

export async function acceptRun({ after }: Run<AgentBranch>, signal: AbortSignal): Promise<Landing> {
  const { trunk, conversation, added } = after;
  if (!added) throw new NothingToAccept();
  if (!isStillAt(trunk, added)) throw new ConversationMoved();
  const changes = changesOf(trunk, conversation, added);
  const stale = await staleIn(changes);
  if (stale.length > 0) return { kind: 'conflict', paths: stale };
  const landed: RootChange[] = [];
  try {
    for (const change of changes.filter(({ made }) => !made.isEmpty)) {
      const taken = await change.root.files.take(change.made, signal);
      if (taken.kind === 'conflict') {
        await takeBack(landed);
        return { kind: 'conflict', paths: taken.paths };
      }
      landed.push(change);
    }
    await tell(trunk, conversation, added);
  } catch (thrown) {
    await takeBack(landed);
    throw thrown;
  }
  return { kind: 'committed' };
}

/** Whether the conversation is where the work went on from, to the very message. */
function isStillAt({ messages }: Conversation, { from, onto }: AddedWork): boolean {
  return messages.length === from && messages.at(-1) === onto;
}

/** What a speculation makes of one root, and what it rests on there. */
interface RootChange {
  readonly root: AgentRoot;
  readonly made: Overlay;
  readonly stale: () => Promise<readonly WorkspacePath[]>;
}

function changesOf(trunk: Conversation, ahead: Conversation, added: AddedWork): readonly RootChange[] {
  return trunk.roots.flatMap((root, index) => {
    const files = added.files[index];
    const worked = ahead.roots[index]?.files.overlay();
    if (!files || !worked) return [];
    const stale = () => files.stale(root.files.overlay(), worked);
    return [{ root, made: files.changed(worked), stale }];
  });
}

async function staleIn(changes: readonly RootChange[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { stale } of changes) found.push(...(await stale()));
  return found;
}

async function tell(trunk: Conversation, ahead: Conversation, { messages }: AddedWork): Promise<void> {
  const seen = ahead.reads.entries().filter(({ absolute, hash }) => trunk.reads.hashOf(absolute) !== hash);
  await trunk.absorb(messages, seen);
  if (ahead.todos !== trunk.todos) await trunk.setTodos(ahead.todos);
  trunk.noteUsage(ahead.usage);
}

/** Puts back what was there before, unless somebody has touched it since. It is done whoever has lost patience. */
async function takeBack(landed: readonly RootChange[]): Promise<void> {
  const patient = new AbortController().signal;
  for (const { root, made } of landed.toReversed()) {
    await root.files.take(inverseOf(root.files.overlay(), await made.changes()), patient);
  }
}

/** An overlay from what was written back to what was there, that conflicts with anything else. */
function inverseOf(live: Overlay, changes: readonly FileChange[]): Overlay {
  const layer = new Map<WorkspacePath, LayerEntry>();
  const madeOn = new Map<WorkspacePath, ContentHash>();
  for (const { path, from, before, after } of changes) {
    layer.set(path, from === undefined ? (before ?? 'removed') : 'removed');
    madeOn.set(path, hashContent(after));
    if (from === undefined || before === undefined) continue;
    layer.set(from, before);
    madeOn.set(from, absentHash);
  }
  return Overlay.from({ base: live.flattened().base, layer, renames: new Map(), madeOn });
}

class NothingToAccept extends Failure {
  readonly code = 'speculation/nothing-to-accept';
  readonly remedy = 'Send the input as it is.';

  constructor() {
    super('this branch holds no work');
  }
}

class ConversationMoved extends Failure {
  readonly code = 'speculation/conversation-moved';
  readonly remedy = 'Send the input as it is; the work ahead of it is no longer about this conversation.';

  constructor() {
    super('the conversation went on while there was work ahead of it');
  }
}
