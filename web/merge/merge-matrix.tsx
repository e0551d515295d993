/**
 * Every pair as a triangle of cells. Arrow keys walk, Enter opens the detail, Escape closes it.
 *
 * Invariant: a cell has its place from the start; results fill in and nothing moves.
 */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { MergeRun } from '../../src/editor/protocol/merge.ts';
import { Icon } from '../ui/icon.tsx';
import { verdictColour, verdictIcon } from '../ui/verdict.tsx';
import type { Cell, MergeStore } from './merge-store.ts';
import { aloneWords, type CellWords, letterOf, pairWords, sideTitle } from './merge-text.ts';

interface MatrixProps {
  readonly store: MergeStore;
  readonly run: MergeRun;
}

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

export function MergeMatrix({ store, run }: MatrixProps): VNode {
  const { sides, onto } = run;
  const [focus, setFocus] = useState<Cell>({ row: 0, column: 0 });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') store.shownCell.value = undefined;
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const row = Math.min(Math.max(focus.row + step[0], 0), sides.length - 1);
    const column = Math.min(Math.max(focus.column + step[1], 0), row);
    setFocus({ row, column });
    if (!(event.currentTarget instanceof HTMLElement)) return;
    event.currentTarget.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`)?.focus();
  };
  return (
    <section class="merge-section" aria-label="Every pair">
      <div class="row">
        <h2>Every pair</h2>
        <span class="muted sm">{`merged into ${onto.name} at ${onto.commit.slice(0, 7)}`}</span>
      </div>
      <div class="matrix-scroll">
        <table
          class={`matrix${sides.length > 12 ? ' dense' : ''}`}
          role="grid"
          aria-label="Merge matrix"
          onKeyDown={onKeyDown}
        >
          <thead>
            <tr>
              <th scope="col" class="matrix-name">
                <span class="sr">Branch</span>
              </th>
              {sides.map(({ name, title }, column) => (
                <th
                  key={name}
                  scope="col"
                  class={focus.column === column ? 'c on' : 'c'}
                  title={name}
                  aria-label={`${letterOf(column)}, ${sideTitle({ name, title })}`}
                >
                  {letterOf(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sides.map(({ name, title }, row) => (
              <tr key={name}>
                <th scope="row" class={focus.row === row ? 'on' : ''} title={name}>
                  <span class="matrix-side">
                    <span class="lt">{letterOf(row)}</span>
                    <span class="cut medium">{sideTitle({ name, title })}</span>
                  </span>
                </th>
                {sides.slice(0, row + 1).map((other, column) => (
                  <MatrixCell
                    key={other.name}
                    store={store}
                    run={run}
                    cell={{ row, column }}
                    isFocusable={focus.row === row && focus.column === column}
                    onFocus={() => setFocus({ row, column })}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface MatrixCellProps extends MatrixProps {
  readonly cell: Cell;
  readonly isFocusable: boolean;
  readonly onFocus: () => void;
}

function MatrixCell({ store, run, cell, isFocusable, onFocus }: MatrixCellProps): VNode {
  const { row, column } = cell;
  const words = wordsOf(store, run, cell);
  const shown = store.shownCell.value;
  const isShown = shown?.row === row && shown.column === column;
  const name = (index: number): string => sideTitle(run.sides[index]);
  const label =
    row === column ? `${name(row)}: ${words.spoken}` : `${name(row)} with ${name(column)}: ${words.spoken}`;
  return (
    <td>
      <button
        type="button"
        class={`cell ${verdictColour(words.kind)}${row === column ? ' self' : ''}${isShown ? ' sel' : ''}`}
        aria-label={label}
        aria-pressed={isShown}
        tabIndex={isFocusable ? 0 : -1}
        data-cell={`${row} ${column}`}
        data-verdict={words.kind}
        title={label}
        onFocus={onFocus}
        onClick={() => {
          store.shownCell.value = isShown ? undefined : cell;
        }}
      >
        <Icon name={verdictIcon(words.kind)} size="small" />
        <span class="cell-word">{words.word}</span>
      </button>
    </td>
  );
}

export function wordsOf(store: MergeStore, { sides, state }: MergeRun, cell: Cell): CellWords {
  return cell.row === cell.column
    ? aloneWords(sides[cell.row]?.alone, state.kind)
    : pairWords(store.outcome(cell), state.kind);
}
