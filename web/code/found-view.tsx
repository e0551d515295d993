/** References and other places that were looked for, by file. */
import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Page } from '../shell/page.ts';
import { folderOf, nameOf } from '../shell/place.ts';
import { RowList } from '../ui/row-list.tsx';
import { Verdict } from '../ui/verdict.tsx';
import type { FoundLocation, FoundStore } from './found-store.ts';
import { openLocation } from './navigation.ts';

const current = signal(0);

export function FoundView({ page, found }: { readonly page: Page; readonly found: FoundStore }): VNode {
  const state = found.state.value;
  if (state.kind === 'nothing')
    return <p class="emp muted">References and callers are listed here. Ask with Shift F12.</p>;
  if (state.kind === 'looking') {
    return (
      <div class="emp">
        <Verdict kind="checking">{state.what}</Verdict>
      </div>
    );
  }
  const { title, locations, note } = state.found;
  const rows = rowsOf(locations);
  return (
    <>
      <div class="sum">
        <span class="medium">{title}</span>
        {note !== '' && (
          <Verdict kind="unknown" size="small">
            {note}
          </Verdict>
        )}
      </div>
      <RowList
        label={title}
        rows={rows}
        current={current}
        onOpen={(row) => row.location !== undefined && openLocation(page, row.location)}
        draw={(row) =>
          row.location === undefined ? <FileHead row={row} /> : <Line row={row} location={row.location} />
        }
      />
    </>
  );
}

interface FoundRow {
  readonly id: string;
  readonly name: string;
  readonly count: number;
  readonly location: FoundLocation | undefined;
}

function rowsOf(locations: readonly FoundLocation[]): readonly FoundRow[] {
  return [...groups(locations)].flatMap(([name, inside]) => [
    { id: name, name, count: inside.length, location: undefined },
    ...inside.map((location) => ({
      id: `${name}:${location.range.start.line}:${location.range.start.character}`,
      name,
      count: 0,
      location,
    })),
  ]);
}

function nameOfLocation({ path, uri }: FoundLocation): string {
  return path ?? uri;
}

function groups(locations: readonly FoundLocation[]): ReadonlyMap<string, FoundLocation[]> {
  const found = new Map<string, FoundLocation[]>();
  for (const location of locations) {
    const name = nameOfLocation(location);
    found.set(name, [...(found.get(name) ?? []), location]);
  }
  return found;
}

function FileHead({ row }: { readonly row: FoundRow }): VNode {
  return (
    <div class="gh">
      <b>{nameOf(row.name)}</b>
      <span class="faint">{folderOf(row.name)}</span>
      <span class="count">{row.count}</span>
    </div>
  );
}

function Line({ location }: { readonly row: FoundRow; readonly location: FoundLocation }): VNode {
  const { start, end } = location.range;
  const { line } = location;
  const blank = line.length - line.trimStart().length;
  const to = end.line === start.line ? end.character : line.length;
  return (
    <div class="it">
      <span class="pos">{`${start.line + 1}:${start.character + 1}`}</span>
      <span class="mono cut grow">
        {line.slice(blank, start.character)}
        <mark>{line.slice(start.character, to)}</mark>
        {line.slice(to)}
      </span>
    </div>
  );
}
