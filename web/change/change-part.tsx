/** Git in the page: the list of changes, their differences in a tab, the branch in the top bar, the bars in the gutter. */
import type { EditorView } from '@codemirror/view';
import { computed } from '@preact/signals';
import { counted } from '../../src/text/counted-noun.ts';
import type { Command } from '../shell/command-store.ts';
import type { Page } from '../shell/page.ts';
import type { Part } from '../shell/part.ts';
import { changeGutter, showCommittedLines, stepChange } from './change-gutter.ts';
import { ChangeStore } from './change-store.ts';
import { ChangeView } from './change-view.tsx';
import './change.css';
import { DiffTab } from './diff-tab.tsx';

export function changePart(page: Page): Part {
  const store = new ChangeStore(page);
  const activeChange = (): string | undefined => {
    const path = page.tabs.activePath.peek();
    return path !== undefined && store.paths.peek().has(path) ? path : undefined;
  };
  return {
    leftViews: [
      {
        id: 'changes',
        title: 'Changes',
        icon: 'branch',
        order: 30,
        count: computed(() => {
          const number = store.paths.value.size;
          return number > 0 ? { number, words: counted(number, 'changed file') } : undefined;
        }),
        head: () => <span class="count">{store.paths.value.size}</span>,
        body: () => <ChangeView page={page} store={store} />,
        entry: '.commit-message',
      },
    ],
    tabTypes: [
      {
        type: 'change',
        icon: 'split',
        body: (tab) => {
          const [against = 'head', ...rest] = tab.key.split(' ');
          return (
            <DiffTab
              key={tab.key}
              page={page}
              store={store}
              path={rest.join(' ')}
              list={against === 'head' ? 'staged' : 'unstaged'}
            />
          );
        },
      },
    ],
    editorExtension: ({ path }) => changeGutter(page, store, path),
    commands: [
      ...placeCommands(page),
      {
        id: 'change.diff',
        title: 'Changes: compare this file with the last commit',
        icon: 'split',
        keys: ['Ctrl K D'],
        isEnabled: () => page.tabs.activePath.value !== undefined && store.repository.value !== undefined,
        run: () => {
          const path = page.tabs.activePath.peek();
          if (path !== undefined) store.open(path, 'index');
        },
      },
      {
        id: 'change.stage',
        title: 'Changes: stage this file',
        icon: 'plus',
        isEnabled: () => activeChange() !== undefined,
        run: () => {
          const path = activeChange();
          if (path !== undefined) store.stage([path]);
        },
      },
      {
        id: 'change.refresh',
        title: 'Changes: look again',
        run: () => page.run(() => store.refresh()),
      },
    ],
  };
}

/** Walking through what differs from the last commit in the editor in use. */
function placeCommands(page: Page): readonly Command[] {
  const inEditor = (id: string, title: string, keys: string, run: (view: EditorView) => void): Command => ({
    id: `change.${id}`,
    title: `Changes: ${title}`,
    keys: [keys],
    isEnabled: () => page.editors.active.value !== undefined,
    run: () => {
      const view = page.editors.active.peek()?.view;
      if (view !== undefined) run(view);
    },
  });
  return [
    inEditor('next', 'next change of this file', 'Alt F5', (view) => stepChange(view, 1)),
    inEditor('previous', 'previous change of this file', 'Shift Alt F5', (view) => stepChange(view, -1)),
    inEditor('old', 'show the lines of the last commit', 'Alt F3', showCommittedLines),
  ];
}
