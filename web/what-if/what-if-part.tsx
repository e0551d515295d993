/** What-ifs in the page: the list at the left, one in a tab, two compared, and their number in the status bar. */
import { computed } from '@preact/signals';
import { counted } from '../../src/text/counted-noun.ts';
import type { Page } from '../shell/page.ts';
import type { Part } from '../shell/part.ts';
import { enterLeftView } from '../shell/region.ts';
import { Icon } from '../ui/icon.tsx';
import { CompareTab } from './compare-tab.tsx';
import './what-if.css';
import { WhatIfList } from './what-if-list.tsx';
import { WhatIfStore } from './what-if-store.ts';
import { WhatIfTab } from './what-if-tab.tsx';

export function whatIfPart(page: Page): Part {
  const store = new WhatIfStore(page);
  const open = computed(() => store.rows.value.filter(({ group }) => group !== 'committed'));
  return {
    leftViews: [
      {
        id: 'what-if',
        title: 'What-if',
        icon: 'whatIf',
        order: 40,
        count: computed(() => {
          const number = store.unseen.value;
          return number > 0 ? { number, words: `${number} new` } : undefined;
        }),
        head: () => <span class="count">{open.value.length}</span>,
        body: () => <WhatIfList store={store} />,
        entry: 'button.wi-open',
      },
    ],
    statusItems: [
      {
        id: 'what-ifs',
        side: 'left',
        order: 10,
        body: () => (
          <>
            <Icon name="whatIf" size="small" />
            {counted(open.value.length, 'what-if')}
          </>
        ),
        onClick: () => enterLeftView(page, 'what-if'),
      },
    ],
    tabTypes: [
      {
        type: 'what-if',
        icon: 'whatIf',
        title: (tab) => store.row(tab.key)?.title ?? tab.title,
        body: (tab) => <WhatIfTab key={tab.key} page={page} store={store} id={tab.key} />,
      },
      {
        type: 'what-if-compare',
        icon: 'split',
        body: (tab) => <CompareTab key={tab.key} page={page} store={store} ids={tab.key.split(' ')} />,
      },
    ],
    commands: [
      {
        id: 'what-if.open',
        title: 'What-if: show the list',
        icon: 'whatIf',
        keys: ['Ctrl K W'],
        run: () => enterLeftView(page, 'what-if'),
      },
    ],
  };
}
