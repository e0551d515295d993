/** The commands of the shell itself: panels, tabs, saving, going somewhere. */

import type { Command } from './command-store.ts';
import type { Page } from './page.ts';
import type { Part } from './part.ts';
import { enterLeftView, enterRightView, enterTab, focusEditor, stepRegion } from './region.ts';

export function shellPart(page: Page): Part {
  return {
    commands: [...goCommands(page), ...panelCommands(page), ...tabCommands(page), ...saveCommands(page)],
  };
}

function goCommands(page: Page): readonly Command[] {
  const field = (text: string) => () => {
    page.palette.value = text;
  };
  return [
    {
      id: 'go.command',
      title: 'Show all commands',
      keys: ['F1', 'Ctrl Shift P'],
      icon: 'chevronRight',
      run: field('>'),
    },
    { id: 'go.file', title: 'Go to file…', keys: ['Ctrl P'], icon: 'search', run: field('') },
    { id: 'go.symbol', title: 'Go to symbol…', keys: ['Ctrl K T'], icon: 'search', run: field('#') },
    { id: 'go.line', title: 'Go to line…', keys: ['Ctrl G'], icon: 'go', run: field(':') },
    {
      id: 'go.region.next',
      title: 'Next region',
      keys: ['F6'],
      run: () => stepRegion(page, 1),
      isHidden: true,
    },
    {
      id: 'go.region.previous',
      title: 'Previous region',
      keys: ['Shift F6'],
      run: () => stepRegion(page, -1),
      isHidden: true,
    },
    { id: 'go.text', title: 'Go to the text', run: () => focusEditor(page) },
    {
      id: 'messages.open',
      title: 'Messages',
      icon: 'bell',
      run: () => enterTab(page, { type: 'messages', key: '', title: 'Messages' }),
    },
  ];
}

/** Closing a panel gives the focus back to the text. */
function panelCommands(page: Page): readonly Command[] {
  const { layout } = page;
  const toggle = (side: 'left' | 'bottom' | 'right') => () => {
    const region = document.querySelector(`[data-region=${side}]`);
    const hadFocus = region?.contains(document.activeElement) === true;
    layout.toggle(side);
    if (hadFocus) focusEditor(page);
  };
  const left = (id: string, title: string, keys: string): Command => ({
    id: `view.${id}`,
    title: `View: ${title}`,
    keys: [keys],
    run: () => enterLeftView(page, id),
  });
  return [
    {
      id: 'panel.left',
      title: 'Left panel: show or hide',
      keys: ['Ctrl B'],
      icon: 'leftPanel',
      run: toggle('left'),
    },
    {
      id: 'panel.bottom',
      title: 'Bottom panel: show or hide',
      keys: ['Ctrl J'],
      icon: 'bottomPanel',
      run: toggle('bottom'),
    },
    { id: 'panel.right', title: 'Agent panel: show or hide', icon: 'rightPanel', run: toggle('right') },
    left('files', 'Files', 'Ctrl Shift E'),
    left('changes', 'Changes', 'Ctrl Shift G'),
    {
      id: 'agent.open',
      title: 'Agent: ask',
      keys: ['Ctrl K A'],
      icon: 'agent',
      run: () => enterRightView(page),
    },
  ];
}

function tabCommands(page: Page): readonly Command[] {
  const { tabs } = page;
  const close = (): void => {
    const group = tabs.activeGroup.peek();
    const tab = tabs.active.peek();
    if (group === undefined || tab === undefined) return;
    page.closeTab(group.id, tab);
    focusShown();
  };
  const shown = (change: () => void) => (): void => {
    change();
    focusShown();
  };
  /** The text of the tab that is shown now: its editor may not be drawn yet. */
  const focusShown = (): void => {
    const path = tabs.activePath.peek();
    if (path === undefined) queueMicrotask(() => focusEditor(page));
    else page.editors.enter({ path, groupId: tabs.activeGroupId.peek() }, undefined);
  };
  const closeOthers = (): void => {
    const group = tabs.activeGroup.peek();
    for (const tab of group?.tabs ?? [])
      if (group !== undefined && tab.id !== group.activeId) page.closeTab(group.id, tab);
  };
  return [
    { id: 'tab.close', title: 'Close tab', keys: ['Alt W'], icon: 'close', run: close },
    { id: 'tab.close-others', title: 'Close other tabs', run: closeOthers },
    {
      id: 'tab.reopen',
      title: 'Open the closed tab again',
      keys: ['Ctrl K O'],
      run: shown(() => tabs.reopen()),
    },
    { id: 'tab.previous', title: 'Previous tab', keys: ['Alt PageUp'], run: shown(() => tabs.step(-1)) },
    { id: 'tab.next', title: 'Next tab', keys: ['Alt PageDown'], run: shown(() => tabs.step(1)) },
    { id: 'tab.split', title: 'Split right', keys: ['Ctrl \\'], icon: 'split', run: () => tabs.split() },
    {
      id: 'tab.group',
      title: 'Next editor group',
      keys: ['Ctrl K G'],
      run: () => {
        tabs.stepGroup();
        focusEditor(page);
      },
    },
  ];
}

function saveCommands(page: Page): readonly Command[] {
  return [
    {
      id: 'file.save',
      title: 'Save',
      keys: ['Ctrl S'],
      run: () => {
        const path = page.tabs.activePath.peek();
        if (path !== undefined) page.run(() => page.save([path]));
      },
    },
    {
      id: 'file.save-all',
      title: 'Save all',
      keys: ['Ctrl K S'],
      run: () => {
        const paths = page.buffers.unsaved.peek();
        if (paths.length > 0) page.run(() => page.save(paths));
      },
    },
  ];
}
