/** Terminals in the bottom panel. The user opens them; nothing else does. */
import { computed } from '@preact/signals';
import type { Page } from '../shell/page.ts';
import type { Part } from '../shell/part.ts';
import { enterBottomView } from '../shell/region.ts';
import './terminal.css';
import { TerminalStore } from './terminal-store.ts';
import { TerminalHead, TerminalView } from './terminal-view.tsx';

export function terminalPart(page: Page): Part {
  const store = new TerminalStore(page);
  const show = (): void => {
    if (store.all.peek().length === 0) store.open();
    enterBottomView(page, 'terminal');
  };
  return {
    bottomViews: [
      {
        id: 'terminal',
        title: 'Terminal',
        order: 40,
        count: computed(() => {
          const number = store.all.value.length;
          return number > 1 ? { number, isBreak: false } : undefined;
        }),
        head: () => <TerminalHead store={store} />,
        body: () => <TerminalView page={page} store={store} />,
        entry: '.xterm-helper-textarea',
      },
    ],
    commands: [
      { id: 'terminal.show', title: 'Terminal: show', keys: ['Ctrl `'], icon: 'terminal', run: show },
      {
        id: 'terminal.new',
        title: 'Terminal: new',
        keys: ['Ctrl Shift `'],
        icon: 'plus',
        run: () => {
          store.open();
          enterBottomView(page, 'terminal');
        },
      },
      {
        id: 'terminal.end',
        title: 'Terminal: end the one that is shown',
        icon: 'stop',
        isEnabled: () => store.shown.peek() !== undefined,
        run: () => {
          const shown = store.shown.peek();
          if (shown !== undefined) store.close(shown.id);
        },
      },
    ],
  };
}
