/** The panel below the editor, with a tab for each of its views. */
import type { VNode } from 'preact';
import { IconButton } from '../ui/button.tsx';
import { stepFocus } from './focus-step.ts';
import type { Page } from './page.ts';
import type { BottomView } from './part.ts';
import { ResizeHandle } from './resize-handle.tsx';

export function bottomViews(page: Page): readonly BottomView[] {
  return page.parts.value.flatMap((part) => part.bottomViews ?? []).sort((a, b) => a.order - b.order);
}

export function BottomPanel({ page }: { readonly page: Page }): VNode | null {
  const wanted = page.layout.bottom.value;
  if (wanted === undefined) return null;
  const views = bottomViews(page);
  const view = views.find(({ id }) => id === wanted) ?? views[0];
  const shown = view?.id;
  return (
    <section
      class="bottom"
      aria-label={view?.title ?? 'Bottom panel'}
      data-region="bottom"
      data-view={shown}
      tabIndex={-1}
      onKeyDown={(event) => {
        // A shell has its own use for the key.
        if (event.key === 'Escape' && !event.defaultPrevented && shown !== 'terminal')
          page.commands.run('go.text');
      }}
    >
      <ResizeHandle layout={page.layout} side="bottom" label="Height of the bottom panel" />
      <div class="head">
        <div
          class="ptabs"
          role="tablist"
          aria-label="Bottom panel"
          onKeyDown={(event) => stepFocus(event, 'horizontal')}
        >
          {views.map((each) => (
            <BottomTab key={each.id} page={page} view={each} isOn={each.id === shown} />
          ))}
        </div>
        <span class="grow" />
        {view?.head?.() ?? null}
        <IconButton
          icon="close"
          label="Close panel"
          size="small"
          onClick={() => page.commands.run('panel.bottom')}
        />
      </div>
      <div class="bottom-body" role="tabpanel" id="bottom-body" aria-label={view?.title ?? ''} key={shown}>
        {view?.body() ?? null}
      </div>
    </section>
  );
}

function BottomTab(props: { readonly page: Page; readonly view: BottomView; readonly isOn: boolean }): VNode {
  const { page, view, isOn } = props;
  const count = view.count?.value;
  return (
    <button
      type="button"
      class={`ptab${isOn ? ' on' : ''}`}
      role="tab"
      aria-selected={isOn}
      aria-controls="bottom-body"
      tabIndex={isOn ? 0 : -1}
      onClick={() => page.layout.showBottom(view.id)}
    >
      {view.title}
      {count !== undefined && <span class={`count${count.isBreak ? ' break' : ''}`}>{count.number}</span>}
    </button>
  );
}
