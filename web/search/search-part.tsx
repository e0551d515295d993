/** Search and replacement across files: a view at the left, with the verdict of a replacement before it is made. */
import type { Page } from '../shell/page.ts';
import type { Part } from '../shell/part.ts';
import { enterLeftView } from '../shell/region.ts';
import './search.css';
import { SearchStore } from './search-store.ts';
import { SearchView } from './search-view.tsx';

export function searchPart(page: Page): Part {
  const store = new SearchStore(page);
  const show = (isReplacing: boolean): void => {
    const selected = selectedText(page);
    if (selected !== '') {
      store.text.value = selected;
      store.isExpression.value = false;
      store.run();
    }
    if (isReplacing) store.isReplaceShown.value = true;
    enterLeftView(page, 'search');
  };
  return {
    leftViews: [
      {
        id: 'search',
        title: 'Search',
        icon: 'search',
        order: 20,
        body: () => <SearchView page={page} store={store} />,
        entry: '#search-text',
      },
    ],
    commands: [
      {
        id: 'view.search',
        title: 'View: Search',
        keys: ['Ctrl Shift F'],
        icon: 'search',
        run: () => show(false),
      },
      {
        id: 'search.replace',
        title: 'Replace in files',
        keys: ['Ctrl Shift H'],
        icon: 'swap',
        run: () => show(true),
      },
    ],
  };
}

/** What is selected in the editor, if it is a part of one line. */
function selectedText(page: Page): string {
  const view = page.editors.active.peek()?.view;
  if (view === undefined) return '';
  const { from, to } = view.state.selection.main;
  const text = view.state.sliceDoc(from, Math.min(to, from + 400));
  return text.includes('\n') ? '' : text;
}
