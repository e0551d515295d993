/** What the agent proposes, by file. */
import type { VNode } from 'preact';
import type { ProposalFile, ProposalHunk } from '../../src/editor/protocol/agent.ts';
import { folderOf, nameOf } from '../shell/place.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { type AgentStore, hunksOf } from './agent-store.ts';
import { AgentVerdictView, counted } from './verdict-words.tsx';

export function ProposalCard({ agent }: { readonly agent: AgentStore }): VNode | null {
  const proposal = agent.proposal.value;
  if (proposal === undefined) return null;
  const hunks = hunksOf(proposal);
  return (
    <section class="card proposal" aria-label="Proposal">
      <div class="ch">
        <span class="strong">Proposal</span>
        <span class="muted sm cut">
          {counted(hunks.length, 'change')} in {counted(proposal.files.length, 'file')}
        </span>
        <span class="grow" />
        <AgentVerdictView verdict={proposal.all} form="pill" />
      </div>
      <ul class="pf">
        {proposal.files.map((file) => (
          <ProposalRow key={file.path} agent={agent} file={file} />
        ))}
      </ul>
      <div class="cf">
        <span class="sm muted grow">{standing(hunks)}</span>
        <Button size="small" onClick={() => agent.review()}>
          Review
        </Button>
      </div>
    </section>
  );
}

function ProposalRow({ agent, file }: { readonly agent: AgentStore; readonly file: ProposalFile }): VNode {
  const open = file.hunks.filter(({ decision }) => decision.kind === 'open');
  return (
    <li>
      <button type="button" class="pf-name" onClick={() => agent.review(file)}>
        <Icon name="file" size="small" />
        <span class="cut">
          <span class="strong">{nameOf(file.path)}</span> <span class="faint">{folderOf(file.path)}</span>
        </span>
      </button>
      <span class="grow" />
      {open.length > 0 && (
        <span class="pf-actions">
          <IconButton
            icon="check"
            size="small"
            label={`Accept ${file.path}`}
            onClick={() => agent.decide(open, { kind: 'accepted' })}
          />
          <IconButton
            icon="close"
            size="small"
            label={`Reject ${file.path}`}
            onClick={() => agent.decide(open, { kind: 'rejected' })}
          />
        </span>
      )}
      <span class="muted sm nowrap">{fileStanding(file, open.length)}</span>
    </li>
  );
}

function fileStanding({ hunks }: ProposalFile, open: number): string {
  if (open === hunks.length) return `${open} open`;
  if (open > 0) return `${open} of ${hunks.length} open`;
  return standing(hunks);
}

/** `2 accepted, 1 rejected, 2 open` */
export function standing(hunks: readonly ProposalHunk[]): string {
  const count = (isIt: (kind: string) => boolean): number =>
    hunks.filter(({ decision }) => isIt(decision.kind)).length;
  const parts: readonly (readonly [number, string])[] = [
    [count((kind) => kind === 'accepted' || kind === 'edited'), 'accepted'],
    [count((kind) => kind === 'rejected'), 'rejected'],
    [count((kind) => kind === 'open'), 'open'],
  ];
  return parts
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`)
    .join(', ');
}
