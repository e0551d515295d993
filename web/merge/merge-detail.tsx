/** What two sides do together: the changes that collide, the errors that neither has alone, or why it is not known. */
import type { ComponentChildren, VNode } from 'preact';
import type { MergeRun, WireMergePair } from '../../src/editor/protocol/merge.ts';
import type { Page } from '../shell/page.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Verdict } from '../ui/verdict.tsx';
import { wordsOf } from './merge-matrix.tsx';
import type { Cell, MergeStore } from './merge-store.ts';
import { letterOf, sideTitle } from './merge-text.ts';

interface DetailProps {
  readonly page: Page;
  readonly store: MergeStore;
  readonly run: MergeRun;
  readonly cell: Cell;
}

type Semantic = Extract<WireMergePair['outcome'], { readonly kind: 'semantic' }>;
type Conflict = Semantic['conflicts'][number];

export function MergeDetail({ page, store, run, cell }: DetailProps): VNode {
  const { row, column } = cell;
  const isPair = row !== column;
  const { kind, spoken } = wordsOf(store, run, cell);
  const names = isPair ? [column, row] : [row];
  const title = names.map(letterOf).join(' with ');
  return (
    <aside class="merge-detail" aria-label="Conflict">
      <div class="head">
        <h2>{title}</h2>
        <span class="muted sm cut grow">{names.map((index) => sideTitle(run.sides[index])).join(', ')}</span>
        <IconButton
          icon="close"
          label="Close"
          size="small"
          onClick={() => {
            store.shownCell.value = undefined;
          }}
        />
      </div>
      <div class="merge-detail-body">
        <Verdict kind={kind}>{`${spoken.charAt(0).toUpperCase()}${spoken.slice(1)}`}</Verdict>
        {isPair ? (
          <PairDetail page={page} run={run} cell={cell} outcome={store.outcome(cell)} />
        ) : (
          <AloneDetail run={run} index={row} />
        )}
        {isComposable(store, run, cell) && (
          <div class="row">
            <Button size="small" onClick={() => store.compose(names)}>
              Open as what-if
            </Button>
          </div>
        )}
      </div>
    </aside>
  );
}

/** Text that does not merge makes no what-if, and what was not judged may not. */
function isComposable(store: MergeStore, run: MergeRun, cell: Cell): boolean {
  const { row, column } = cell;
  const kind = row === column ? run.sides[row]?.alone?.kind : store.outcome(cell)?.kind;
  return kind !== undefined && kind !== 'textual';
}

function AloneDetail({ run, index }: { readonly run: MergeRun; readonly index: number }): VNode | null {
  const alone = run.sides[index]?.alone;
  switch (alone?.kind) {
    case undefined:
      return null;
    case 'clean':
      return <p class="sm muted">Merged alone it breaks nothing.</p>;
    case 'broken':
      return <Lines title="Files with new errors" lines={alone.in} />;
    case 'textual':
      return <Lines title="Files that git cannot merge with the target" lines={alone.paths} />;
    case 'unknown':
      return <Lines title="Why it is not proved" lines={alone.why} />;
  }
}

function PairDetail(props: {
  readonly page: Page;
  readonly run: MergeRun;
  readonly cell: Cell;
  readonly outcome: WireMergePair['outcome'] | undefined;
}): VNode | null {
  const { page, cell, outcome } = props;
  switch (outcome?.kind) {
    case undefined:
      return null;
    case 'clean':
      return <p class="sm muted">Together they break nothing that works alone.</p>;
    case 'textual':
      return <Lines title="Files that git cannot merge" lines={outcome.paths} />;
    case 'unknown':
      return <Lines title="Why it is not proved" lines={outcome.why} />;
    case 'semantic':
      return <SemanticDetail page={page} cell={cell} outcome={outcome} />;
  }
}

function SemanticDetail(props: {
  readonly page: Page;
  readonly cell: Cell;
  readonly outcome: Semantic;
}): VNode {
  const { page, cell, outcome } = props;
  const one = Math.min(cell.row, cell.column);
  const other = Math.max(cell.row, cell.column);
  return (
    <>
      <p class="sm muted">The text merges. The result does not compile, though each branch does alone.</p>
      <Part title="The two changes that collide">
        {distinct(outcome.conflicts.map((conflict) => conflict.one)).map((change) => (
          <Snippet key={keyOf(change)} page={page} side={one} change={change} />
        ))}
        {distinct(outcome.conflicts.map((conflict) => conflict.other)).map((change) => (
          <Snippet key={keyOf(change)} page={page} side={other} change={change} />
        ))}
      </Part>
      <Part title="Errors that neither branch has alone">
        <ul class="merge-errors">
          {outcome.conflicts.map(({ finding }) => {
            const { line, character } = finding.range.start;
            const place = `${finding.path} ${line + 1}:${character + 1}`;
            return (
              <li key={`${place} ${finding.message}`} class="sm">
                <span class="mono">{place}</span>
                <span class="muted">{finding.message}</span>
              </li>
            );
          })}
        </ul>
        {outcome.count > outcome.conflicts.length && (
          <p class="sm muted">{`${outcome.count - outcome.conflicts.length} more`}</p>
        )}
      </Part>
    </>
  );
}

type Change = NonNullable<Conflict['one']>;

/** A change that several errors come from is shown once. */
function distinct(changes: readonly (Change | undefined)[]): readonly Change[] {
  const known = new Map(changes.flatMap((change) => (change ? [[keyOf(change), change] as const] : [])));
  return [...known.values()];
}

function keyOf({ path, line }: Change): string {
  return `${path} ${line}`;
}

function Snippet(props: { readonly page: Page; readonly side: number; readonly change: Change }): VNode {
  const { page, side, change } = props;
  return (
    <div class="snip" data-colliding={letterOf(side)}>
      <div class="sh">
        <span class="lt">{letterOf(side)}</span>
        <button type="button" class="mono cut snip-file" onClick={() => page.openFile(change.path)}>
          {change.path}
        </button>
      </div>
      <div class="code">
        <div class="ln">
          <span class="g n">{change.line + 1}</span>
          <span class="t">{change.text}</span>
        </div>
      </div>
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }): VNode {
  return (
    <section class="merge-part" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly string[] }): VNode {
  return (
    <Part title={title}>
      <ul class="merge-errors">
        {lines.map((line) => (
          <li key={line} class="sm">
            {line}
          </li>
        ))}
      </ul>
    </Part>
  );
}
