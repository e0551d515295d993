/** The agent panel. In narrow windows it opens over the editor and Escape closes it. */
import type { VNode } from 'preact';
import { liesOver } from './layout-store.ts';
import type { Page } from './page.ts';
import type { RightView } from './part.ts';
import { ResizeHandle } from './resize-handle.tsx';

export function rightView(page: Page): RightView | undefined {
  return page.parts.value.find((part) => part.rightView !== undefined)?.rightView;
}

export function RightPanel({ page }: { readonly page: Page }): VNode | null {
  const view = rightView(page);
  if (view === undefined || !page.layout.isRightShown.value) return null;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented && liesOver('right'))
      page.commands.run('panel.right');
  };
  return (
    <aside class="right" aria-label={view.title} data-region="right" tabIndex={-1} onKeyDown={onKeyDown}>
      <ResizeHandle layout={page.layout} side="right" label="Width of the agent panel" />
      <div class="head">
        <h2>{view.title}</h2>
        {view.head?.() ?? null}
      </div>
      {view.body()}
    </aside>
  );
}
