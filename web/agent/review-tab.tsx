/**
 * The review of a proposal: every hunk with its neighbourhood, and a decision about each.
 *
 * Invariant: J, K, A, R and E work only while the review has the focus, and never in a field.
 */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { AgentProposal, ProposalFile, ProposalHunk } from '../../src/editor/protocol/agent.ts';
import { Button, Keys } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Verdict } from '../ui/verdict.tsx';
import { type AgentStore, hunksOf } from './agent-store.ts';
import { HunkLines } from './hunk-lines.tsx';
import { AgentVerdictView, counted } from './verdict-words.tsx';

export function ReviewTab({ agent }: { readonly agent: AgentStore }): VNode {
  const proposal = agent.proposal.value;
  const body = useRef<HTMLDivElement>(null);
  const editing = useSignal<string | undefined>(undefined);
  // Before the next key, which may be a decision.
  useLayoutEffect(() => body.current?.focus(), []);
  if (proposal === undefined) return <p class="emp">There is no proposal now.</p>;
  const hunks = hunksOf(proposal);
  const at = Math.max(
    0,
    hunks.findIndex(({ id }) => id === agent.hunkAt.value),
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = reviewKeys[event.key.toLowerCase()];
    if (action === undefined) return;
    event.preventDefault();
    action({
      agent,
      hunks,
      at,
      edit: (id) => {
        editing.value = id;
      },
    });
  };
  return (
    <div class="review" ref={body} tabIndex={-1} onKeyDown={onKeyDown} role="group" aria-label="Review">
      <ReviewHead agent={agent} proposal={proposal} hunks={hunks} at={at} />
      <div class="review-body">
        {proposal.files.map((file) => (
          <ReviewFile
            key={file.path}
            agent={agent}
            file={file}
            hunks={hunks}
            current={hunks[at]?.id}
            editing={editing.value}
            onEdit={(id) => {
              editing.value = id;
              // The field is about to go; the keys go on deciding.
              if (id === undefined) body.current?.focus();
            }}
          />
        ))}
      </div>
      <ReviewFoot agent={agent} hunks={hunks} />
    </div>
  );
}

interface ReviewAction {
  readonly agent: AgentStore;
  readonly hunks: readonly ProposalHunk[];
  readonly at: number;
  readonly edit: (id: string) => void;
}

const step =
  (by: number) =>
  ({ agent, hunks, at }: ReviewAction): void => {
    const next = hunks[Math.min(hunks.length - 1, Math.max(0, at + by))];
    if (next) agent.hunkAt.value = next.id;
  };

const decide =
  (kind: 'accepted' | 'rejected') =>
  ({ agent, hunks, at }: ReviewAction): void => {
    const hunk = hunks[at];
    if (hunk?.decision.kind !== 'open') return;
    agent.decide([hunk], { kind });
    const next = hunks.slice(at + 1).find(({ decision }) => decision.kind === 'open');
    if (next) agent.hunkAt.value = next.id;
  };

const reviewKeys: Readonly<Record<string, (action: ReviewAction) => void>> = {
  j: step(1),
  k: step(-1),
  a: decide('accepted'),
  r: decide('rejected'),
  e: ({ hunks, at, edit }) => {
    const hunk = hunks[at];
    if (hunk) edit(hunk.id);
  },
};

function ReviewHead(props: {
  readonly agent: AgentStore;
  readonly proposal: AgentProposal;
  readonly hunks: readonly ProposalHunk[];
  readonly at: number;
}): VNode {
  const { agent, proposal, hunks, at } = props;
  const accepted = hunks.filter(
    ({ decision }) => decision.kind === 'accepted' || decision.kind === 'edited',
  ).length;
  const go = (by: number) => (): void => step(by)({ agent, hunks, at, edit: () => {} });
  return (
    <div class="pb">
      <div class="row">
        <h1 class="strong cut">{proposal.title}</h1>
        <span class="muted sm nowrap">{counted(proposal.files.length, 'file')}</span>
        <span class="grow" />
        <Button size="small" look="quiet" onClick={go(-1)}>
          Previous <Keys keys={['K']} />
        </Button>
        <Button size="small" look="quiet" onClick={go(1)}>
          Next <Keys keys={['J']} />
        </Button>
      </div>
      <div class="row sm review-verdicts">
        <span class="row" data-verdict-of="all">
          <span class="muted">All {counted(hunks.length, 'change')}</span>
          <AgentVerdictView verdict={proposal.all} />
        </span>
        {accepted > 0 && (
          <span class="row" data-verdict-of="accepted">
            <span class="muted">What you accepted so far ({accepted})</span>
            <AgentVerdictView verdict={proposal.accepted} />
          </span>
        )}
      </div>
    </div>
  );
}

interface ReviewFileProps {
  readonly agent: AgentStore;
  readonly file: ProposalFile;
  readonly hunks: readonly ProposalHunk[];
  readonly current: string | undefined;
  readonly editing: string | undefined;
  readonly onEdit: (id: string | undefined) => void;
}

const fates = { created: 'new file', changed: '', deleted: 'deleted' } as const;

function ReviewFile({ agent, file, hunks, current, editing, onEdit }: ReviewFileProps): VNode {
  return (
    <section aria-label={file.path}>
      <h2 class="review-file row">
        <Icon name="file" size="small" />
        <button type="button" class="linkish" onClick={() => agent.page.openFile(file.path)}>
          {file.path}
        </button>
        {file.fate !== 'changed' && <span class="tag">{fates[file.fate]}</span>}
      </h2>
      {file.hunks.map((hunk) => (
        <ReviewHunk
          key={hunk.id}
          agent={agent}
          file={file}
          hunk={hunk}
          name={`Change ${hunks.indexOf(hunk) + 1} of ${hunks.length}`}
          isCurrent={hunk.id === current}
          isEditing={hunk.id === editing}
          onEdit={onEdit}
        />
      ))}
    </section>
  );
}

interface ReviewHunkProps {
  readonly agent: AgentStore;
  readonly file: ProposalFile;
  readonly hunk: ProposalHunk;
  readonly name: string;
  readonly isCurrent: boolean;
  readonly isEditing: boolean;
  readonly onEdit: (id: string | undefined) => void;
}

function ReviewHunk(props: ReviewHunkProps): VNode {
  const { agent, file, hunk, name, isCurrent, isEditing, onEdit } = props;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const { kind } = hunk.decision;
  return (
    <div
      ref={place}
      class={`hunk ${kind}${isCurrent ? ' on' : ''}`}
      role="group"
      aria-label={`${name}, ${words[kind]}`}
      data-hunk={hunk.id}
      data-decision={kind}
      onPointerDown={() => {
        agent.hunkAt.value = hunk.id;
      }}
    >
      <div class="hk row">
        <span class="hk-name">{name}</span>
        <span class="muted cut grow">
          {hunk.note !== undefined && (
            <Verdict kind="break" size="small">
              {hunk.note}
            </Verdict>
          )}
        </span>
        <HunkButtons {...props} />
      </div>
      {isEditing ? (
        <HunkEditor
          hunk={hunk}
          onDone={(text) => {
            if (text !== undefined) agent.decide([hunk], { kind: 'edited', text });
            onEdit(undefined);
          }}
        />
      ) : (
        <HunkLines file={file} hunk={hunk} />
      )}
    </div>
  );
}

const words = {
  open: 'open',
  accepted: 'accepted',
  rejected: 'rejected',
  edited: 'accepted, edited',
} as const;

const labels = { open: '', accepted: 'Accepted', rejected: 'Rejected', edited: 'Accepted, edited' } as const;

function HunkButtons({ agent, hunk, onEdit }: ReviewHunkProps): VNode {
  const { kind } = hunk.decision;
  if (hunk.isWaiting) return <span class="sm muted">{labels[kind]}, after this turn</span>;
  if (kind !== 'open') {
    return (
      <>
        <span class={`row sm ${kind === 'rejected' ? 'muted' : 'c-clean'}`}>
          <Icon name={kind === 'rejected' ? 'close' : 'check'} size="small" />
          {labels[kind]}
        </span>
        <Button size="small" look="quiet" onClick={() => agent.decide([hunk], { kind: 'open' })}>
          Take back
        </Button>
      </>
    );
  }
  return (
    <>
      <Button size="small" onClick={() => onEdit(hunk.id)}>
        <Icon name="edit" size="small" />
        Edit
      </Button>
      <Button size="small" onClick={() => agent.decide([hunk], { kind: 'rejected' })}>
        <Icon name="close" size="small" />
        Reject
      </Button>
      <Button size="small" look="primary" onClick={() => agent.decide([hunk], { kind: 'accepted' })}>
        <Icon name="check" size="small" />
        Accept
      </Button>
    </>
  );
}

/** The new side of a hunk, editable in place. */
function HunkEditor({
  hunk,
  onDone,
}: {
  readonly hunk: ProposalHunk;
  readonly onDone: (text: string | undefined) => void;
}): VNode {
  const field = useRef<HTMLTextAreaElement>(null);
  const start = hunk.decision.kind === 'edited' ? hunk.decision.text : hunk.after;
  // Before the next key: what is typed right after E belongs to the field.
  useLayoutEffect(() => field.current?.focus(), []);
  const keep = (): void => {
    const text = field.current?.value ?? start;
    // A hunk is whole lines: the last one ends as the agent's did.
    onDone(start.endsWith('\n') && text !== '' && !text.endsWith('\n') ? `${text}\n` : text);
  };
  return (
    <div class="hunk-editor stack">
      <textarea
        ref={field}
        class="code"
        aria-label="New text of this change"
        spellcheck={false}
        rows={Math.max(2, start.split('\n').length)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone(undefined);
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) keep();
        }}
      >
        {start}
      </textarea>
      <div class="row">
        <Button size="small" look="primary" onClick={keep}>
          Accept edited <Keys keys={['Ctrl Enter']} />
        </Button>
        <Button size="small" onClick={() => onDone(undefined)}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

function ReviewFoot({
  agent,
  hunks,
}: {
  readonly agent: AgentStore;
  readonly hunks: readonly ProposalHunk[];
}): VNode {
  const open = hunks.filter(({ decision }) => decision.kind === 'open');
  return (
    <div class="review-foot row">
      <span class="sm muted grow cut">The agent is told what you reject and what you edit.</span>
      {open.length > 0 && (
        <>
          <Button onClick={() => agent.decide(open, { kind: 'rejected' })}>
            Reject the {open.length} open
          </Button>
          <Button look="primary" onClick={() => agent.decide(open, { kind: 'accepted' })}>
            Accept the {open.length} open
          </Button>
        </>
      )}
    </div>
  );
}
