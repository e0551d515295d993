/** Files as tabs: text in an editor, and what is said of files that are not shown as text. */
import { computed } from '@preact/signals';
import type { Page } from '../shell/page.ts';
import type { Part } from '../shell/part.ts';
import { FileTab } from './file-tab.tsx';

export function textPart(page: Page): Part {
  const caret = computed(() => {
    const at = page.editors.caret.value;
    if (at === undefined || page.tabs.activePath.value === undefined) return '';
    const selected = at.selected === 0 ? '' : ` (${at.selected} selected)`;
    return `Ln ${at.line + 1}, Col ${at.character + 1}${selected}`;
  });
  const indent = computed(() => (page.tabs.activePath.value === undefined ? '' : page.editors.indent.value));
  return {
    tabTypes: [
      { type: 'file', icon: 'file', body: (tab) => <FileTab page={page} path={tab.key} tabId={tab.id} /> },
    ],
    statusItems: [
      {
        id: 'caret',
        side: 'right',
        order: 80,
        body: () => caret.value,
        onClick: () => page.commands.run('go.line'),
      },
      { id: 'indent', side: 'right', order: 90, width: 'wide', body: () => indent.value },
    ],
  };
}
