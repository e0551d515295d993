/** The changes since the last commit: message, verdicts, and the two lists. */
import type { ComponentChildren, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { GitChange } from '../../src/editor/protocol/git.ts';
import { counted } from '../../src/text/counted-noun.ts';
import { proofOf } from '../future/verdict-text.ts';
import { stepFocus } from '../shell/focus-step.ts';
import type { Page } from '../shell/page.ts';
import { folderOf, nameOf } from '../shell/place.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Verdict } from '../ui/verdict.tsx';
import type { ChangeStore, CommitPart, RepositoryStatus } from './change-store.ts';
import { changeMarkOf, partVerdictWord } from './change-text.ts';

interface ChangeViewProps {
  readonly page: Page;
  readonly store: ChangeStore;
}

export function ChangeView({ page, store }: ChangeViewProps): VNode {
  const status = store.status.value;
  const moment = store.moment.value;
  const isRepository = status.kind === 'repository';
  useEffect(() => (isRepository ? store.judge() : undefined), [store, moment, isRepository]);
  if (status.kind === 'unread') return <div class="emp muted">Reading the changes.</div>;
  if (status.kind === 'none') {
    return (
      <div class="emp" data-git="none">
        <b>No git repository here</b>
        <span class="muted">Changes need one.</span>
        {!/not a git repository/.test(status.reason) && <span class="muted">{status.reason}</span>}
      </div>
    );
  }
  const count = status.staged.count + status.unstaged.count;
  if (count + status.stagedOutside === 0)
    return <div class="emp muted">No changes since the last commit.</div>;
  return (
    <div class="changes">
      <CommitBox page={page} store={store} status={status} />
      <div class="change-lists" onKeyDown={(event) => stepFocus(event, 'vertical')}>
        <ChangeGroup store={store} list="staged" changes={status.staged} />
        <ChangeGroup store={store} list="unstaged" changes={status.unstaged} />
      </div>
    </div>
  );
}

function CommitBox(props: ChangeViewProps & { readonly status: RepositoryStatus }): VNode {
  const { page, store, status } = props;
  const hasStaged = status.staged.count + status.stagedOutside > 0;
  const hasUnstaged = status.unstaged.count > 0;
  const isReady = store.message.value.trim() !== '' && !store.isCommitting.value;
  const isWithheld = status.hooks.length > 0 && !page.isTrusted.value;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    store.commit(hasStaged ? 'staged' : 'all');
  };
  return (
    <div class="commit-box">
      <textarea
        class="commit-message"
        rows={2}
        aria-label="Message of the commit"
        placeholder="Message"
        value={store.message.value}
        onInput={({ currentTarget }) => {
          store.message.value = currentTarget.value;
        }}
        onKeyDown={onKeyDown}
      />
      {hasStaged && <VerdictLine store={store} part="staged" title="Staged alone" />}
      {(hasUnstaged || !hasStaged) && (
        <VerdictLine store={store} part="all" title={hasStaged ? 'With all changes' : 'All changes'} />
      )}
      {status.stagedOutside > 0 && (
        <p class="sm muted">{`${counted(status.stagedOutside, 'staged file')} outside this folder too.`}</p>
      )}
      {isWithheld && <p class="sm muted">{`Not trusted yet: ${status.hooks.join(', ')} will not run.`}</p>}
      <div class="row commit-buttons">
        {hasStaged && (
          <Button
            look={hasUnstaged ? 'plain' : 'primary'}
            isDisabled={!isReady}
            onClick={() => store.commit('staged')}
          >
            {`Commit staged${dots(store, 'staged')}`}
          </Button>
        )}
        {hasUnstaged && (
          <Button look="primary" isDisabled={!isReady} onClick={() => store.commit('all')}>
            {`Commit all${dots(store, 'all')}`}
          </Button>
        )}
      </div>
    </div>
  );
}

/** A question follows where the commit breaks something. */
function dots(store: ChangeStore, part: CommitPart): string {
  const verdict = store.verdicts.value[part];
  return verdict.kind === 'checked' && verdict.evaluation.verdict.kind === 'broken' ? '…' : '';
}

function VerdictLine(props: {
  readonly store: ChangeStore;
  readonly part: CommitPart;
  readonly title: string;
}): VNode {
  const verdict = props.store.verdicts.value[props.part];
  const { kind, word } = partVerdictWord(verdict);
  const proof =
    verdict.kind === 'checked'
      ? proofOf(verdict.evaluation)
      : verdict.kind === 'failed'
        ? verdict.message
        : word;
  const names =
    verdict.kind === 'checked' && verdict.evaluation.verdict.kind === 'broken'
      ? `${verdict.evaluation.verdict.in.join('\n')}\n`
      : '';
  return (
    <div class="row sm commit-verdict" data-part={props.part} data-verdict={kind} title={`${names}${proof}`}>
      <span class="muted">{props.title}</span>
      <Verdict kind={kind} size="small">
        {word}
      </Verdict>
    </div>
  );
}

type ListName = 'staged' | 'unstaged';

interface ChangeGroupProps {
  readonly store: ChangeStore;
  readonly list: ListName;
  readonly changes: RepositoryStatus[ListName];
}

function ChangeGroup({ store, list, changes: { count, entries } }: ChangeGroupProps): VNode | null {
  if (count === 0) return null;
  const paths = entries.map(({ path }) => path);
  const title = list === 'staged' ? 'Staged' : 'Not staged';
  return (
    <section aria-label={title} data-list={list}>
      <div class="change-head">
        <h3>{title}</h3>
        <span class="count">{count}</span>
        <span class="grow" />
        {list === 'staged' ? (
          <IconButton icon="minus" label="Unstage all" size="small" onClick={() => store.unstage(paths)} />
        ) : (
          <>
            <IconButton
              icon="back"
              label="Discard all…"
              size="small"
              onClick={() => store.discard(entries)}
            />
            <IconButton icon="plus" label="Stage all" size="small" onClick={() => store.stage(paths)} />
          </>
        )}
      </div>
      <ul>
        {entries.map((change) => (
          <ChangeRow key={change.path} store={store} list={list} change={change} />
        ))}
      </ul>
      {count > entries.length && <p class="sm muted change-more">{`${count - entries.length} more`}</p>}
    </section>
  );
}

function ChangeRow(props: {
  readonly store: ChangeStore;
  readonly list: ListName;
  readonly change: GitChange;
}): VNode {
  const { store, list, change } = props;
  const { path, kind } = change;
  const { letter, word } = changeMarkOf(kind);
  const name = nameOf(path);
  const move = (): void => (list === 'staged' ? store.unstage([path]) : store.stage([path]));
  const discard = (): void => {
    if (list === 'unstaged') store.discard([change]);
  };
  const keys: Readonly<Record<string, () => void>> = { s: move, Delete: discard };
  const actions: ComponentChildren =
    list === 'staged' ? (
      <IconButton icon="minus" label={`Unstage ${name}`} size="small" onClick={move} />
    ) : (
      <>
        <IconButton icon="back" label={`Discard ${name}…`} size="small" onClick={discard} />
        <IconButton icon="plus" label={`Stage ${name}`} size="small" onClick={move} />
      </>
    );
  return (
    <li class="change" data-change={path}>
      <button
        type="button"
        class="change-open"
        title={`${path}, ${word}`}
        aria-label={`${name}, ${folderOf(path)}, ${word}`}
        onClick={() => store.open(path, list === 'staged' ? 'head' : 'index')}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          keys[event.key]?.();
        }}
      >
        <Icon name="file" size="small" />
        <span class={`cut${kind === 'deleted' ? ' change-gone' : ''}`}>
          {name} <span class="faint sm">{folderOf(path)}</span>
        </span>
      </button>
      <span class="change-actions">{actions}</span>
      <span class="gm" aria-hidden="true">
        {letter}
      </span>
    </li>
  );
}
