/**
 * Accepts a speculation: commits its files and merges its messages and read cache.
 *
 * Invariants: nothing is written unless everything it read and everything it changes is unchanged; files and messages
 * take effect together or not at all, also after a crash; files go through the same commit as any other change.
 */

import type { Conversation } from '../agent/conversation.ts';
import { type AgentRoot, filesIn, shownPatch } from '../agent/files/agent-root.ts';
import type { MergedWork } from '../agent/fork-merge.ts';
import { Failure } from '../base/failure.ts';
import type { CommitDecision } from '../overlay/commit/commit-decision.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { FilePatch } from '../text/unified-diff.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { AddedWork, AgentBranch } from './agent-branch.ts';
import type { Landing, Run } from './engine/speculation-ports.ts';

export async function acceptRun({ after }: Run<AgentBranch>, signal: AbortSignal): Promise<Landing> {
  const { trunk, conversation, added } = after;
  if (!added) throw new NothingToAccept();
  if (!isStillAt(trunk, added)) throw new ConversationMoved();
  const changes = changesOf(trunk, conversation, added);
  const stale = await staleIn(changes);
  if (stale.length > 0) return { kind: 'conflict', paths: stale };
  const { decision, apply } = trunk.prepareMerge(workOf(trunk, conversation, added));
  const [first, ...others] = changes.filter(({ made }) => !made.isEmpty);
  if (!first) {
    await decision.decide();
    apply();
    return { kind: 'committed', patch: [] };
  }
  const inner: InnerCommits = { patch: [], conflict: undefined };
  const bound = others.reduceRight(
    (within, change) => decidedBy(change, { within, inner, signal }),
    decision,
  );
  try {
    const outcome = await first.root.files.commit(first.made, { decision: bound }, signal);
    if (outcome.kind === 'conflict') return outcome;
    apply();
    return { kind: 'committed', patch: [...first.shown(outcome.patch), ...inner.patch] };
  } catch (thrown) {
    if (inner.conflict) return inner.conflict;
    throw thrown;
  }
}

/** The results of the workspaces after the first. */
interface InnerCommits {
  patch: readonly FilePatch[];
  conflict: (Landing & { readonly kind: 'conflict' }) | undefined;
}

interface InnerCommit {
  /** The decision on which this workspace's commit depends. */
  readonly within: CommitDecision;
  readonly inner: InnerCommits;
  readonly signal: AbortSignal;
}

/**
 * A decision that is made by committing another workspace. Every workspace can be rolled back until all are written
 * and the messages are recorded; then all of it takes effect.
 */
function decidedBy(
  { root, made, shown }: RootChange,
  { within, inner, signal }: InnerCommit,
): CommitDecision {
  const decide = async (): Promise<void> => {
    const outcome = await root.files.commit(made, { decision: within }, signal);
    if (outcome.kind === 'conflict') {
      inner.conflict = outcome;
      // This rolls the outer workspaces back; the caller gets the conflict.
      throw new Error('files of another workspace changed in the meantime');
    }
    inner.patch = [...shown(outcome.patch), ...inner.patch];
  };
  return { ...within, decide };
}

/** Whether the conversation still ends with the message that the work started from. */
function isStillAt({ history: { messages } }: Conversation, { from, onto }: AddedWork): boolean {
  return messages.length === from && messages.at(-1) === onto;
}

/** The changes of a speculation in one root, and its dependencies there. */
interface RootChange {
  readonly root: AgentRoot;
  readonly made: Overlay;
  readonly stale: () => Promise<readonly WorkspacePath[]>;
  /** A patch of this root with displayed paths. */
  readonly shown: (patch: readonly FilePatch[]) => readonly FilePatch[];
}

function changesOf(trunk: Conversation, ahead: Conversation, added: AddedWork): readonly RootChange[] {
  return trunk.setup.roots.flatMap((root) => {
    const files = added.files.get(root.workspace);
    const worked = filesIn(ahead.setup.roots, root.workspace)?.overlay();
    if (!files || !worked) return [];
    const stale = () => files.stale(root.files.overlay(), worked);
    const shown: RootChange['shown'] = (patch) => shownPatch(trunk.setup.roots, root, patch);
    return [{ root, made: files.changed(worked), stale, shown }];
  });
}

async function staleIn(changes: readonly RootChange[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { stale } of changes) found.push(...(await stale()));
  return found;
}

function workOf(trunk: Conversation, ahead: Conversation, { messages }: AddedWork): MergedWork {
  const { reads, todos } = ahead;
  const seen = reads.entries().filter(({ absolute, hash }) => trunk.reads.hashOf(absolute) !== hash);
  return { messages, seen, usage: ahead.history.usage, ...(todos !== trunk.todos && { todos }) };
}

class NothingToAccept extends Failure {
  readonly code = 'speculation/nothing-to-accept';
  readonly remedy = 'Send the input as it is.';

  constructor() {
    super('this branch has no work to accept');
  }
}

class ConversationMoved extends Failure {
  readonly code = 'speculation/conversation-moved';
  readonly remedy = 'Send the input again; the speculation no longer belongs to this conversation.';

  constructor() {
    super('the conversation continued while a speculation was ready');
  }
}
