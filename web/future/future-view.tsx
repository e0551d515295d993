/**
 * The Future panel: what saving would introduce and resolve, and how far that is proved.
 *
 * Invariant: rows stay where they are while a new check runs; they lose their colour, nothing moves.
 */
import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { WireEvaluation, WireFinding } from '../../src/editor/protocol/evaluation.ts';
import { counted } from '../../src/text/counted-noun.ts';
import { stepFocus } from '../shell/focus-step.ts';
import type { Page } from '../shell/page.ts';
import { folderOf, nameOf } from '../shell/place.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Proof, Verdict } from '../ui/verdict.tsx';
import type { FutureStore } from './future-store.ts';
import { openFinding } from './open-finding.ts';
import { kindOf, proofOf, wordOf } from './verdict-text.ts';

interface FutureProps {
  readonly page: Page;
  readonly store: FutureStore;
}

export function FutureView({ page, store }: FutureProps): VNode {
  const state = store.state.value;
  const evaluation = store.last.value;
  if (state.kind === 'nothing') {
    return <Empty title="No unsaved text">Type, and this says what it would do to other files.</Empty>;
  }
  if (state.kind === 'unchecked')
    return <Empty title="Not checked">{`The unsaved text is not checked: ${state.detail}.`}</Empty>;
  if (evaluation === undefined) return <Empty title="Checking">The first answer is on its way.</Empty>;
  return <Checked page={page} store={store} evaluation={evaluation} />;
}

function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }): VNode {
  return (
    <div class="emp">
      <b>{title}</b>
      <span class="muted">{children}</span>
    </div>
  );
}

function Checked(props: FutureProps & { readonly evaluation: WireEvaluation }): VNode {
  const { page, store, evaluation } = props;
  const [isProofOpen, setProofOpen] = useState(false);
  const isChecking = store.isChecking.value;
  const { introduced, resolved, counts, verdict } = evaluation;
  const word = wordOf(evaluation, page.buffers.unsaved.value);
  return (
    <div class={`future${isChecking ? ' stale' : ''}`} data-checking={isChecking}>
      <div class="sum">
        <Verdict kind={isChecking ? 'checking' : kindOf(evaluation)}>
          {`If you save: ${word.charAt(0).toLowerCase()}${word.slice(1)}`}
        </Verdict>
        <span class="grow" />
        <button
          type="button"
          class="proof-button"
          aria-expanded={isProofOpen}
          onClick={() => setProofOpen(!isProofOpen)}
        >
          <Proof isProved={evaluation.isProved}>{proofOf(evaluation)}</Proof>
        </button>
      </div>
      {isProofOpen ? <ProofDetails evaluation={evaluation} /> : null}
      {introduced.length === 0 && resolved.length === 0 ? (
        <Nothing page={page} evaluation={evaluation} />
      ) : (
        <ul class="list" onKeyDown={(event) => stepFocus(event, 'vertical')}>
          <Group
            page={page}
            findings={introduced}
            total={counts.introduced}
            kind="introduced"
            isChecking={isChecking}
          />
          <Group
            page={page}
            findings={resolved}
            total={counts.resolved}
            kind="resolved"
            isChecking={isChecking}
          />
        </ul>
      )}
      {verdict.kind === 'unknown' && introduced.length > 0 ? (
        <Doubts page={page} evaluation={evaluation} />
      ) : null}
    </div>
  );
}

function Nothing({ page, evaluation }: { readonly page: Page; readonly evaluation: WireEvaluation }): VNode {
  if (evaluation.verdict.kind === 'unknown') return <Doubts page={page} evaluation={evaluation} />;
  return (
    <Empty title="Nothing would break">{`Clean, proved for ${counted(evaluation.counts.files, 'file')}.`}</Empty>
  );
}

function Doubts({ page, evaluation }: { readonly page: Page; readonly evaluation: WireEvaluation }): VNode {
  return (
    <div class="emp">
      <b>Not proved</b>
      {evaluation.doubts.map((doubt) => (
        <span class="muted" key={doubt}>
          {doubt}
        </span>
      ))}
      <Button size="small" onClick={() => page.commands.run('future.check')}>
        Check again
      </Button>
    </div>
  );
}

const settleWords = { pull: 'answered a request', push: 'published', request: 'compiler run' } as const;

function ProofDetails({ evaluation }: { readonly evaluation: WireEvaluation }): VNode {
  return (
    <ul class="proof-details">
      {evaluation.servers.map(({ name, version, settle, quietMs, files, durationMs, confidence }) => (
        <li key={name}>
          <b>{[name, version].filter(Boolean).join(' ')}</b>
          {` ${settleWords[settle]}${quietMs === undefined ? '' : `, quiet for ${quietMs} ms`} · `}
          {`${counted(files, 'file')} · ${Math.round(durationMs)} ms · ${confidence}`}
        </li>
      ))}
      {evaluation.doubts.map((doubt) => (
        <li key={doubt}>{doubt}</li>
      ))}
    </ul>
  );
}

interface GroupProps {
  readonly page: Page;
  readonly findings: readonly WireFinding[];
  readonly total: number;
  readonly kind: 'introduced' | 'resolved';
  readonly isChecking: boolean;
}

function Group({ page, findings, total, kind, isChecking }: GroupProps): VNode | null {
  if (findings.length === 0) return null;
  const open = page.tabs.paths.value;
  const closed = findings.filter(({ path }) => !open.has(path));
  const files = new Set(closed.map(({ path }) => path)).size;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const noun = errors === findings.length ? 'error' : 'problem';
  const colour = isChecking ? 'checking' : kind === 'introduced' ? 'break' : 'clean';
  const ordered = [...closed, ...findings.filter(({ path }) => open.has(path))];
  return (
    <>
      <li class={`gh c-${colour}`}>
        <Icon name={isChecking ? 'checking' : kind === 'introduced' ? 'broken' : 'clean'} size="small" />
        <b>{`${counted(total, noun)} ${kind}`}</b>
        {files > 0 ? (
          <span class="faint">{`in ${counted(files, 'file')} that ${files === 1 ? 'is' : 'are'} not open`}</span>
        ) : null}
      </li>
      {ordered.map((finding) => (
        <Row key={rowKey(finding)} page={page} finding={finding} kind={kind} />
      ))}
    </>
  );
}

function Row({
  page,
  finding,
  kind,
}: Pick<GroupProps, 'page' | 'kind'> & { readonly finding: WireFinding }): VNode {
  const { path, range, message, source, code } = finding;
  const at = `${range.start.line + 1}:${range.start.character + 1}`;
  return (
    <li>
      <button
        type="button"
        class={`it${kind === 'resolved' ? ' gone' : ''}`}
        title={message}
        onClick={() => openFinding(page, finding)}
      >
        <span class="fnm cut">
          <b>{nameOf(path)}</b> <span class="faint">{folderOf(path)}</span>
        </span>
        <span class="pos">{at}</span>
        <span class="msg cut grow">{message}</span>
        <span class="src">{[source, code].filter(Boolean).join(' ')}</span>
      </button>
    </li>
  );
}

function rowKey({ path, range, message }: WireFinding): string {
  return `${path}:${range.start.line}:${range.start.character}:${message}`;
}
