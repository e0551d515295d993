/** The tree of files, and what can be done to its entries. */
import { computed, effect, signal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Page } from '../shell/page.ts';
import type { Part } from '../shell/part.ts';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { Verdict } from '../ui/verdict.tsx';
import { FileActions } from './file-actions.ts';
import { FileTree } from './file-tree.ts';
import { FileTreeView } from './file-tree-view.tsx';

export function filePart(page: Page): Part {
  const tree = new FileTree(page.link, (thrown) => page.report(thrown));
  const current = signal<string | undefined>(undefined);
  const actions = new FileActions(page, tree, current);
  effect(() => {
    const path = page.tabs.activePath.value;
    if (path === undefined) return;
    tree.reveal(path);
    current.value = path;
  });
  const hasBreaks = computed(() =>
    page.parts.value.some(({ fileMarks }) =>
      [...(fileMarks?.value.values() ?? [])].some(({ kind }) => kind === 'break'),
    ),
  );
  return {
    leftViews: [
      {
        id: 'files',
        title: 'Files',
        icon: 'folder',
        order: 10,
        head: () => <FileHead actions={actions} />,
        body: () => (
          <>
            {tree.isRead ? (
              <FileTreeView page={page} tree={tree} current={current} actions={actions} />
            ) : (
              <div class="emp grow">
                {page.workspace.value === undefined && (
                  <Verdict kind="checking">Reading the workspace</Verdict>
                )}
              </div>
            )}
            {hasBreaks.value && <Legend />}
          </>
        ),
        entry: '[role=treeitem][tabindex="0"]',
      },
    ],
    commands: [
      { id: 'file.new', title: 'New file…', icon: 'plus', run: () => actions.create('file') },
      { id: 'file.new-folder', title: 'New folder…', icon: 'folder', run: () => actions.create('directory') },
      {
        id: 'file.reveal',
        title: 'Show the open file in the tree',
        icon: 'folder',
        run: () => {
          const path = page.tabs.activePath.peek();
          if (path === undefined) return;
          page.layout.showLeft('files');
          tree.reveal(path);
          current.value = path;
        },
      },
      {
        id: 'file.copy-path',
        title: 'Copy the path of the open file',
        icon: 'copy',
        run: () => {
          const path = page.tabs.activePath.peek();
          if (path !== undefined) page.run(() => navigator.clipboard.writeText(path));
        },
      },
    ],
  };

  function Legend(): VNode {
    return (
      <div class="legend">
        <span class="c-break row">
          <Icon name="broken" size="small" />
        </span>
        <span>Would break if you save</span>
      </div>
    );
  }
}

function FileHead({ actions }: { readonly actions: FileActions }): VNode {
  return (
    <>
      <span class="grow" />
      <IconButton icon="plus" label="New file" size="small" onClick={() => actions.create('file')} />
      <Menu
        label="More"
        icon="more"
        items={[
          { title: 'New folder…', run: () => actions.create('directory') },
          { title: 'Rename…', run: () => actions.rename() },
          { title: 'Delete…', run: () => actions.delete() },
          { title: 'Close all folders', run: () => actions.closeAll() },
        ]}
      />
    </>
  );
}
