/** The panel of the view that is chosen in the rail. In narrow windows it opens over the editor and Escape closes it. */
import type { VNode } from 'preact';
import { liesOver } from './layout-store.ts';
import type { Page } from './page.ts';
import { leftViews } from './rail.tsx';
import { ResizeHandle } from './resize-handle.tsx';

export function LeftPanel({ page }: { readonly page: Page }): VNode | null {
  const view = leftViews(page).find(({ id }) => id === page.layout.left.value);
  if (view === undefined) return null;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented && liesOver('left'))
      page.commands.run('panel.left');
  };
  return (
    <aside
      class="left"
      aria-label={view.title}
      data-region="left"
      data-view={view.id}
      key={view.id}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div class="head">
        <h2>{view.title}</h2>
        {view.head?.() ?? null}
      </div>
      {view.body()}
      <ResizeHandle layout={page.layout} side="left" label="Width of the left panel" />
    </aside>
  );
}
