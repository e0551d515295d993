/** The list of what-ifs at the left: groups, checkboxes, compare and rank. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { WhatIfRow } from '../../src/editor/protocol/what-if.ts';
import { stepFocus } from '../shell/focus-step.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { verdictColour, verdictIcon } from '../ui/verdict.tsx';
import type { WhatIfStore } from './what-if-store.ts';
import { ageWord, clockWord, rankWord, sizeWord, statusWord } from './what-if-text.ts';

const groups = [
  { id: 'yours', title: 'Yours' },
  { id: 'agents', title: 'From agents' },
  { id: 'ahead', title: 'Working ahead' },
  { id: 'committed', title: 'Committed today' },
] as const;

type Filter = 'all' | 'yours' | 'agents' | 'ahead';

const filters: readonly { readonly id: Filter; readonly title: string; readonly label?: string }[] = [
  { id: 'all', title: 'All' },
  { id: 'yours', title: 'Mine' },
  { id: 'agents', title: 'Agents' },
  { id: 'ahead', title: 'Ahead', label: 'Working ahead' },
];

export function WhatIfList({ store }: { readonly store: WhatIfStore }): VNode {
  const [filter, setFilter] = useState<Filter>('all');
  const rows = store.rows.value;
  const waiting = store.waiting.value;
  if (rows.length === 0 && waiting === 0) {
    return (
      <div class="emp">
        <b>No what-ifs</b>
        <span class="muted">Changes that agents try show up here before they reach the disk.</span>
      </div>
    );
  }
  return (
    <div
      class="what-ifs"
      onMouseEnter={() => store.use(true)}
      onMouseLeave={() => store.use(false)}
      // Whoever only came here by a key sees new ones at once; whoever walks the list is not disturbed.
      onKeyDown={() => store.use(true)}
      onFocusOut={(event) => {
        const { currentTarget, relatedTarget } = event;
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) store.use(false);
      }}
    >
      <span class="seg" role="group" aria-label="Show">
        {filters.map(({ id, title, label }) => (
          <button
            type="button"
            key={id}
            class={filter === id ? 'on' : ''}
            aria-pressed={filter === id}
            title={label}
            onClick={() => setFilter(id)}
          >
            {title}
          </button>
        ))}
      </span>
      {waiting > 0 ? (
        <Button look="quiet" size="small" onClick={() => store.showHeld()}>
          {`${waiting} new`}
        </Button>
      ) : null}
      <ul class="wl" onKeyDown={(event) => stepFocus(event, 'vertical')}>
        {groups
          .filter(({ id }) => filter === 'all' || filter === id)
          .map(({ id, title }) => (
            <Group
              key={id}
              store={store}
              title={title}
              rows={ordered(rows.filter((row) => row.group === id))}
            />
          ))}
      </ul>
      <Foot store={store} />
    </div>
  );
}

/** The unsaved text first, then the newest. */
function ordered(rows: readonly WhatIfRow[]): readonly WhatIfRow[] {
  return [...rows].sort((a, b) => Number(b.kind === 'unsaved') - Number(a.kind === 'unsaved') || b.at - a.at);
}

function Group(props: {
  readonly store: WhatIfStore;
  readonly title: string;
  readonly rows: readonly WhatIfRow[];
}): VNode | null {
  const { store, title, rows } = props;
  if (rows.length === 0) return null;
  return (
    <>
      <li class="sect">{title}</li>
      {rows.map((row) =>
        row.group === 'committed' ? (
          <Committed key={row.id} store={store} row={row} />
        ) : (
          <Row key={row.id} store={store} row={row} />
        ),
      )}
    </>
  );
}

interface RowProps {
  readonly store: WhatIfStore;
  readonly row: WhatIfRow;
}

function Row({ store, row }: RowProps): VNode {
  const { kind, word } = statusWord(row);
  const isChecked = store.checked.value.has(row.id);
  const rank = store.ranks.value.find(({ id }) => id === row.id);
  const keys = (event: KeyboardEvent): void => {
    if (event.key === ' ') {
      event.preventDefault();
      store.toggle(row.id);
    } else if (event.key === 'c') compareChecked(store);
  };
  return (
    <li
      class={`wi${isChecked ? ' on' : ''}`}
      data-what-if={row.id}
      data-status={row.status.kind}
      data-verdict={kind}
    >
      <input
        type="checkbox"
        class="check"
        checked={isChecked}
        aria-label={`Check ${row.title}`}
        tabIndex={-1}
        onChange={() => store.toggle(row.id)}
      />
      <button
        type="button"
        class="wi-open"
        onClick={() => store.open(row.id)}
        onKeyDown={keys}
        title={[row.title, `${sizeWord(row)}, by ${row.author}`, ...row.files].join('\n')}
      >
        <span class={`c-${verdictColour(kind)} wi-icon`}>
          <Icon name={verdictIcon(kind)} />
        </span>
        <span class="cut wi-title">{row.title}</span>
        <span class="wi-end">
          {rank ? <span class={`tag${rank.rank === 1 ? ' best' : ''}`}>{rankWord(rank.rank)}</span> : null}
          {row.kind === 'unsaved' ? 'now' : ageWord(row.at)}
        </span>
        <span class="l2 cut">{`${word} · ${sizeWord(row)} · ${row.author}`}</span>
      </button>
    </li>
  );
}

function Committed({ store, row }: RowProps): VNode {
  return (
    <li class="wi done" data-what-if={row.id} data-status="committed">
      <span />
      <span class="wi-open">
        <span class="muted wi-icon">
          <Icon name="check" />
        </span>
        <span class="cut wi-title">{row.title}</span>
        <span class="wi-end">
          {row.canUndo ? (
            <Button size="small" onClick={() => store.undo(row)}>
              <Icon name="back" size="small" />
              Undo
            </Button>
          ) : null}
        </span>
        <span class="l2 cut">{`${clockWord(row.at)} · ${sizeWord(row)} · ${row.author}`}</span>
      </span>
    </li>
  );
}

function checkedRows(store: WhatIfStore): readonly WhatIfRow[] {
  const checked = store.checked.value;
  return store.rows.value.filter(({ id }) => checked.has(id));
}

function compareChecked(store: WhatIfStore): void {
  const ids = checkedRows(store).map(({ id }) => id);
  if (ids.length === 2) store.compare(ids);
}

function Foot({ store }: { readonly store: WhatIfStore }): VNode | null {
  const rows = checkedRows(store);
  if (rows.length === 0) return null;
  const ids = rows.map(({ id }) => id);
  const discardable = rows.filter(({ kind }) => kind === 'session');
  return (
    <div class="what-if-foot">
      <span class="sm muted grow nowrap">{`${rows.length} checked`}</span>
      {discardable.length === rows.length ? (
        <Button size="small" look="quiet" onClick={() => store.discard(rows)}>
          {rows.length === 1 ? 'Discard' : 'Discard all'}
        </Button>
      ) : null}
      <Button size="small" isDisabled={rows.length < 2} onClick={() => store.rank(ids)}>
        <Icon name="rank" size="small" />
        Rank
      </Button>
      <Button size="small" look="primary" isDisabled={rows.length !== 2} onClick={() => store.compare(ids)}>
        <Icon name="split" size="small" />
        Compare
      </Button>
    </div>
  );
}
