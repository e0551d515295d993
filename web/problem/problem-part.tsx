/** Problems: the present state of the open buffers, by file, then by line. */
import { computed, signal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Diagnostic, DiagnosticStore } from '../code/diagnostic-store.ts';
import { severityVerdict, sourceOf } from '../code/hover.tsx';
import type { Page } from '../shell/page.ts';
import type { Part } from '../shell/part.ts';
import { folderOf, nameOf } from '../shell/place.ts';
import { enterBottomView } from '../shell/region.ts';
import { Icon } from '../ui/icon.tsx';
import { RowList } from '../ui/row-list.tsx';
import { Verdict, verdictColour, verdictIcon } from '../ui/verdict.tsx';

interface ProblemRow {
  readonly id: string;
  readonly path: string;
  /** Undefined: the heading of a file that got no answer. */
  readonly problem: Diagnostic | undefined;
  readonly why: string;
}

export function problemPart(page: Page, store: DiagnosticStore): Part {
  const filter = signal('');
  const current = signal(0);
  const rows = computed(() => rowsOf(store).filter((row) => isMatch(row, filter.value)));
  const count = computed(() => ({
    number: store.current.value.reduce((sum, { items }) => sum + items.filter(isProblem).length, 0),
    isBreak: false,
  }));
  return {
    bottomViews: [
      {
        id: 'problems',
        title: 'Problems',
        order: 20,
        count,
        head: () => (
          <input
            class="inp problem-filter"
            placeholder="Filter"
            aria-label="Filter problems"
            value={filter.value}
            onInput={({ currentTarget }) => {
              filter.value = currentTarget.value;
            }}
          />
        ),
        body: () =>
          rows.value.length === 0 ? (
            <p class="emp muted">
              {filter.value === '' ? 'No problems in open files.' : `No problems for “${filter.value}”.`}
            </p>
          ) : (
            <RowList
              label="Problems"
              rows={rows.value}
              current={current}
              onOpen={(row) => open(page, row)}
              draw={(row) => <Problem row={row} />}
            />
          ),
        entry: '[role=listbox]',
      },
    ],
    commands: [
      {
        id: 'problems.open',
        title: 'Problems: show',
        icon: 'warning',
        run: () => enterBottomView(page, 'problems'),
      },
    ],
  };
}

const isProblem = ({ severity }: Diagnostic): boolean => severity === 'error' || severity === 'warning';

function rowsOf(store: DiagnosticStore): readonly ProblemRow[] {
  return store.current.value.flatMap(({ path, items, proof, why }): readonly ProblemRow[] => {
    if (proof === 'none')
      return [{ id: path, path, problem: undefined, why: why ?? 'The server did not answer.' }];
    const sorted = [...items].sort((a, b) => a.range.start.line - b.range.start.line);
    return sorted
      .filter(({ severity }) => severity !== 'hint')
      .map((problem, index) => ({ id: `${path} ${index}`, path, problem, why: '' }));
  });
}

function isMatch({ path, problem, why }: ProblemRow, filter: string): boolean {
  const wanted = filter.trim().toLowerCase();
  return `${path} ${problem?.message ?? why}`.toLowerCase().includes(wanted);
}

function open(page: Page, { path, problem }: ProblemRow): void {
  page.openFile(path, problem === undefined ? {} : { at: { path, ...problem.range.start } });
}

function Problem({ row }: { readonly row: ProblemRow }): VNode {
  const { path, problem, why } = row;
  const file = (
    <span class="fnm cut">
      <b>{nameOf(path)}</b> <span class="faint">{folderOf(path)}</span>
    </span>
  );
  if (problem === undefined) {
    return (
      <div class="it problem">
        <Verdict kind="unknown" size="small">
          Unknown
        </Verdict>
        {file}
        <span class="msg cut grow">{why}</span>
      </div>
    );
  }
  const kind = severityVerdict[problem.severity];
  return (
    <div class="it problem" data-severity={problem.severity}>
      <span class={`c-${verdictColour(kind)} row`}>
        <Icon name={verdictIcon(kind)} size="small" label={problem.severity} />
      </span>
      {file}
      <span class="pos">{`${problem.range.start.line + 1}:${problem.range.start.character + 1}`}</span>
      <span class="msg cut grow">{problem.message}</span>
      <span class="src">{sourceOf(problem)}</span>
    </div>
  );
}
