/**
 * A long list of rows of one height, of which only those near the window are drawn.
 *
 * Invariant: the row that is current is always drawn, so that it can have the focus.
 */
import type { ComponentChildren, HTMLAttributes, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface VirtualListProps {
  readonly count: number;
  readonly current: number;
  readonly row: (index: number) => ComponentChildren;
  /** Role, label and keys of the list itself. */
  readonly attributes: HTMLAttributes<HTMLDivElement>;
}

const beyond = 12;

export function VirtualList({ count, current, row, attributes }: VirtualListProps): VNode {
  const list = useRef<HTMLDivElement>(null);
  const [window, setWindow] = useState({ first: 0, last: 60, height: 26 });
  const measure = (): void => {
    const element = list.current;
    if (element === null) return;
    const height = Number.parseFloat(getComputedStyle(element).getPropertyValue('--row')) || 26;
    const first = Math.max(Math.floor(element.scrollTop / height) - beyond, 0);
    const last = Math.ceil((element.scrollTop + element.clientHeight) / height) + beyond;
    setWindow((old) =>
      old.first === first && old.last === last && old.height === height ? old : { first, last, height },
    );
  };
  useLayoutEffect(() => {
    measure();
    const element = list.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null || current < 0) return;
    const top = current * window.height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + window.height > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + window.height - element.clientHeight;
    }
  }, [current, window.height]);
  const drawn = drawnRows(count, current, window);
  return (
    <div {...attributes} ref={list} class={`virtual ${attributes.class ?? ''}`} onScroll={measure}>
      <div class="virtual-room" role="none" style={{ height: `${count * window.height}px` }}>
        {drawn.map((index) => (
          <div key={index} role="none" class="virtual-row" style={{ top: `${index * window.height}px` }}>
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

function drawnRows(
  count: number,
  current: number,
  { first, last }: { readonly first: number; readonly last: number },
): readonly number[] {
  const rows: number[] = [];
  for (let index = first; index < Math.min(last, count); index++) rows.push(index);
  if (current >= 0 && current < count && !rows.includes(current)) rows.push(current);
  return rows;
}
