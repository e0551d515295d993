/** The start page: where no file is open, and as a tab of its own. */
import type { Page } from '../shell/page.ts';
import type { Part } from '../shell/part.ts';
import { enterTab } from '../shell/region.ts';
import './start.css';
import { StartPage } from './start-page.tsx';
import { StartStore } from './start-store.ts';

export function startPart(page: Page): Part {
  const store = new StartStore(page);
  const body = () => <StartPage page={page} store={store} />;
  return {
    emptyEditor: body,
    tabTypes: [{ type: 'start', icon: undefined, body }],
    commands: [
      {
        id: 'start.open',
        title: 'Start page',
        run: () => enterTab(page, { type: 'start', key: '', title: 'Start' }),
      },
    ],
  };
}
