/**
 * Judges a proposed edit in a temporary overlay.
 *
 * Invariant: the disk is read and never written.
 */

import { type Evaluation, type Verdict, verdictOf } from '../../evaluation/evaluation.ts';
import { LocalEvaluator } from '../../evaluation/local-evaluator.ts';
import { evaluateWhole } from '../../evaluation/whole-evaluation.ts';
import { judgingLanguage } from '../../live/data-reader.ts';
import type { Overlay } from '../../overlay/overlay.ts';
import type { Scope } from '../../servers/projection-mode.ts';
import { type UntrustedNote, untrustedNote } from '../../servers/server-detection.ts';
import { InvalidArgument } from '../../tools/failure.ts';
import { replaceQuote } from '../../tools/old-text.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { Forerun } from '../forerun.ts';

export type ProposedChange =
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'passages'; readonly passages: readonly Passage[] };

export interface Passage {
  readonly oldText: string;
  readonly newText: string;
  readonly which: 'all' | undefined;
}

export interface Proposal {
  readonly filePath: string;
  readonly change: ProposedChange;
  readonly scope: Scope;
  readonly timeoutMs: number;
}

export interface ProposalCheck {
  readonly verdict: Verdict;
  readonly evaluation: Evaluation;
  /** Programs of the workspace that were not used because it is not trusted. */
  readonly untrusted?: UntrustedNote;
}

export async function checkProposal(
  forerun: Forerun,
  proposal: Proposal,
  signal: AbortSignal,
): Promise<ProposalCheck> {
  const { workspace, live } = await forerun.workspaces.forFile(proposal.filePath, signal);
  const path = await workspace.resolve(proposal.filePath);
  const language = judgingLanguage(live, path);
  const overlay = await proposed(live.emptyOverlay(), path, proposal.change);
  const { scope, timeoutMs } = proposal;
  const evaluation = await evaluateWhole(
    new LocalEvaluator(live, forerun.log),
    { workspace, overlay, mainLanguage: language, scope, timeoutMs, caller: 'hook' },
    signal,
  );
  return {
    verdict: verdictOf(evaluation),
    evaluation,
    ...untrustedNote(workspace.root, live.servers.withheld),
  };
}

async function proposed(overlay: Overlay, path: WorkspacePath, change: ProposedChange): Promise<Overlay> {
  const isThere = (await overlay.read(path)) !== undefined;
  if (change.kind === 'whole') {
    return isThere ? overlay.editText(path, () => change.text) : overlay.writeText(path, change.text);
  }
  // An empty passage in a file that does not exist stands for its creation.
  const [first, ...others] = change.passages;
  const isCreated = !isThere && first?.oldText === '';
  const start = isCreated ? overlay.writeText(path, first.newText) : overlay;
  return start.editText(path, (text) =>
    (isCreated ? others : change.passages).reduce((before, passage) => {
      const outcome = replaceQuote(before, passage);
      if (outcome.kind === 'replaced') return outcome.text;
      throw new InvalidArgument('the text to replace does not occur in the file');
    }, text),
  );
}
