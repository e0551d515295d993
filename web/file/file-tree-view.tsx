/** The tree as it is drawn: rows with their marks, walked by the arrow keys. */
import { computed, type Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { Page } from '../shell/page.ts';
import { fileMarks } from '../shell/palette-items.ts';
import type { FileMark } from '../shell/part.ts';
import { Icon } from '../ui/icon.tsx';
import { verdictColour, verdictIcon } from '../ui/verdict.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import type { FileActions } from './file-actions.ts';
import type { FileTree, TreeRow } from './file-tree.ts';
import { TypedName } from './typed-name.ts';

interface FileTreeViewProps {
  readonly page: Page;
  readonly tree: FileTree;
  readonly current: Signal<string | undefined>;
  readonly actions: FileActions;
}

export function FileTreeView({ page, tree, current, actions }: FileTreeViewProps): VNode {
  const rows = tree.rows.value;
  const marks = useMemo(() => computed(() => marksByRow(page, tree)), [page, tree]);
  const typed = useRef(new TypedName());
  const shown = current.value ?? page.tabs.activePath.value;
  const found = rows.findIndex(({ path }) => path === shown);
  // The first row has the focus until one was chosen.
  const at = found < 0 && rows.length > 0 ? 0 : found;
  const go = (index: number): void => {
    current.value = rows[Math.min(Math.max(index, 0), rows.length - 1)]?.path;
    focusCurrent();
  };
  const openRow = (row: TreeRow, isPreview: boolean): void => {
    current.value = row.path;
    if (row.kind === 'directory') row.isOpen ? tree.close(row.path) : tree.open(row.path);
    else page.openFile(row.path, { isPreview });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[at];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action =
      row === undefined ? undefined : treeKey(event, { rows, at, row, tree, actions, go, openRow });
    if (action !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      action();
    } else if (event.key.length === 1) {
      const found = typed.current.next(rows, at, event.key);
      if (found !== undefined) go(found);
    }
  };
  return (
    <VirtualList
      count={rows.length}
      current={at}
      attributes={{ role: 'tree', 'aria-label': 'Files', class: 'tree grow', onKeyDown }}
      row={(index) => {
        const row = rows[index];
        if (row === undefined) return null;
        const isFocusable = index === at;
        return (
          <TreeItem
            key={row.path}
            page={page}
            row={row}
            isOn={index === found}
            isFocusable={isFocusable}
            mark={marks.value.get(row.path)}
            onOpen={openRow}
          />
        );
      }}
    />
  );
}

/** After the render that draws the row. */
function focusCurrent(): void {
  queueMicrotask(() => document.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')?.focus());
}

interface TreeKeyContext {
  readonly rows: readonly TreeRow[];
  readonly at: number;
  readonly row: TreeRow;
  readonly tree: FileTree;
  readonly actions: FileActions;
  readonly go: (index: number) => void;
  readonly openRow: (row: TreeRow, isPreview: boolean) => void;
}

/** What a key does in the tree; undefined: nothing. */
function treeKey(event: KeyboardEvent, context: TreeKeyContext): (() => void) | undefined {
  const { rows, at, row, tree, actions, go, openRow } = context;
  const isFolder = row.kind === 'directory';
  const parent = rows.findLastIndex(({ depth }, index) => index < at && depth === row.depth - 1);
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => go(at + 1),
    ArrowUp: () => go(at - 1),
    Home: () => go(0),
    End: () => go(rows.length - 1),
    PageDown: () => go(at + 12),
    PageUp: () => go(at - 12),
    ArrowRight: () => (isFolder && !row.isOpen ? tree.open(row.path) : go(isFolder ? at + 1 : at)),
    ArrowLeft: () => (isFolder && row.isOpen ? tree.close(row.path) : go(parent < 0 ? at : parent)),
    Enter: () => openRow(row, false),
    ' ': () => openRow(row, true),
    F2: () => actions.rename(),
    Delete: () => actions.delete(),
  };
  return keys[event.key];
}

interface TreeItemProps {
  readonly page: Page;
  readonly row: TreeRow;
  readonly isOn: boolean;
  readonly isFocusable: boolean;
  readonly mark: FileMark | undefined;
  readonly onOpen: (row: TreeRow, isPreview: boolean) => void;
}

function TreeItem({ page, row, isOn, isFocusable, mark, onOpen }: TreeItemProps): VNode {
  const isFolder = row.kind === 'directory';
  const isUnsaved = page.buffers.states.value.get(row.path)?.isUnsaved === true;
  const git = page.gitMarks.value.get(row.path);
  const pending = row.isPending ? 'not on disk before it holds a file' : undefined;
  const words = [row.name, pending, git?.word, isUnsaved ? 'unsaved' : undefined, mark?.label];
  return (
    <div
      class={`tree-row${isOn ? ' on' : ''}${row.isIgnored ? ' dim' : ''}${row.isPending ? ' pending' : ''}`}
      style={{ '--d': row.depth }}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-setsize={row.siblings}
      aria-posinset={row.place}
      aria-selected={isOn}
      aria-expanded={isFolder ? row.isOpen : undefined}
      aria-label={words.filter((word) => word !== undefined).join(', ')}
      tabIndex={isFocusable ? 0 : -1}
      data-path={row.path}
      title={pending}
      onClick={() => onOpen(row, true)}
      onDblClick={() => !isFolder && onOpen(row, false)}
    >
      <Icon name={isFolder ? (row.isOpen ? 'chevronDown' : 'chevronRight') : 'file'} size="small" />
      <span class="cut">{row.name}</span>
      <span class="end">
        {mark !== undefined && (
          <span class={`c-${verdictColour(mark.kind)} tree-mark`} title={mark.label}>
            <Icon name={verdictIcon(mark.kind)} size="small" />
          </span>
        )}
        {/* The label of the row says the word, and must contain every text of it. */}
        {git !== undefined && <span class="gm" title={git.word} data-letter={git.letter} />}
        {isUnsaved && <span class="dotm" title="Unsaved" />}
      </span>
    </div>
  );
}

/** Marks of files, and on closed folders the worst mark inside of them. */
function marksByRow(page: Page, tree: FileTree): ReadonlyMap<string, FileMark> {
  const marks = new Map(fileMarks(page));
  for (const [path, mark] of [...marks]) {
    const parts = path.split('/');
    for (let length = parts.length - 1; length > 0; length--) {
      const folder = parts.slice(0, length).join('/');
      if (!tree.isOpen(folder) && rank(mark) > rank(marks.get(folder))) marks.set(folder, mark);
    }
  }
  return marks;
}

const ranks: Readonly<Record<FileMark['kind'], number>> = {
  break: 7,
  conflict: 6,
  warning: 5,
  unknown: 4,
  checking: 3,
  clean: 2,
  none: 1,
};

function rank(mark: FileMark | undefined): number {
  return mark === undefined ? 0 : ranks[mark.kind];
}
