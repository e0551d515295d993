/** Merges in the page: a tab that the rail opens. */
import { computed } from '@preact/signals';
import type { Page } from '../shell/page.ts';
import type { Part } from '../shell/part.ts';
import './merge.css';
import { MergeStore } from './merge-store.ts';
import { MergeTab } from './merge-tab.tsx';

export function mergePart(page: Page): Part {
  const store = new MergeStore(page);
  return {
    railTabs: [
      {
        id: 'merges',
        title: 'Merges',
        icon: 'grid',
        order: 50,
        isOn: computed(() => page.tabs.active.value?.type === 'merges'),
        open: () => store.open(),
      },
    ],
    tabTypes: [
      {
        type: 'merges',
        icon: 'grid',
        body: () => <MergeTab page={page} store={store} />,
        entry: '[data-cell][tabindex="0"], .merge-main input',
      },
    ],
    commands: [
      {
        id: 'merge.open',
        title: 'Merges: what branches do together',
        icon: 'grid',
        keys: ['Ctrl K M'],
        run: () => store.open(),
      },
    ],
  };
}
