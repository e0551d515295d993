/** A list of rows in a panel: arrow keys walk, Enter or a click opens. Rows without an action are headings. */
import type { Signal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { VirtualList } from './virtual-list.tsx';

export interface RowListProps<Row extends { readonly id: string }> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** The index of the row that the keys are on. */
  readonly current: Signal<number>;
  readonly draw: (row: Row) => ComponentChildren;
  readonly onOpen: (row: Row) => void;
}

export function RowList<Row extends { readonly id: string }>(props: RowListProps<Row>): VNode {
  const { label, rows, current, draw, onOpen } = props;
  const at = Math.min(Math.max(current.value, 0), rows.length - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 10,
      PageUp: -10,
      Home: -rows.length,
      End: rows.length,
    };
    const step = steps[event.key];
    const row = rows[at];
    if (step !== undefined) {
      event.preventDefault();
      current.value = Math.min(Math.max(at + step, 0), rows.length - 1);
    } else if (event.key === 'Enter' && row !== undefined) {
      event.preventDefault();
      onOpen(row);
    }
  };
  return (
    <VirtualList
      count={rows.length}
      current={at}
      attributes={{
        role: 'listbox',
        'aria-label': label,
        'aria-activedescendant': rows.length > 0 ? rowId(label, at) : undefined,
        tabIndex: 0,
        class: 'rows',
        onKeyDown,
      }}
      row={(index) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <div
            key={row.id}
            id={rowId(label, index)}
            role="option"
            aria-selected={index === at}
            class={`row-item${index === at ? ' on' : ''}`}
            onClick={() => {
              current.value = index;
              onOpen(row);
            }}
          >
            {draw(row)}
          </div>
        );
      }}
    />
  );
}

function rowId(label: string, index: number): string {
  return `${label.replaceAll(/\W+/g, '-')}-${index}`;
}
