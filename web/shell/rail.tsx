/** The views at the left edge; one of them is shown in the left panel. */
import type { VNode } from 'preact';
import { Icon } from '../ui/icon.tsx';
import { stepFocus } from './focus-step.ts';
import type { Page } from './page.ts';
import type { LeftView, RailTab } from './part.ts';

export function leftViews(page: Page): readonly LeftView[] {
  return page.parts.value.flatMap((part) => part.leftViews ?? []).sort((a, b) => a.order - b.order);
}

export function Rail({ page }: { readonly page: Page }): VNode {
  const items = [...leftViews(page).map((view) => ({ view, order: view.order })), ...railTabs(page)];
  return (
    <nav
      class="rail"
      aria-label="Views"
      data-region="rail"
      onKeyDown={(event) => stepFocus(event, 'vertical')}
    >
      {items
        .sort((a, b) => a.order - b.order)
        .map((item) =>
          'view' in item ? (
            <RailItem key={item.view.id} page={page} view={item.view} />
          ) : (
            <RailTabItem key={item.id} item={item} />
          ),
        )}
      <span class="gap" />
      <button
        type="button"
        aria-label="Settings"
        title="Settings"
        onClick={() => page.commands.run('settings.open')}
      >
        <Icon name="settings" size="large" />
      </button>
    </nav>
  );
}

function railTabs(page: Page): readonly RailTab[] {
  return page.parts.value.flatMap((part) => part.railTabs ?? []);
}

function RailTabItem({ item }: { readonly item: RailTab }): VNode {
  const { title, icon, isOn, open } = item;
  return (
    <button
      type="button"
      class={isOn.value ? 'on' : ''}
      aria-label={title}
      aria-pressed={isOn.value}
      title={title}
      onClick={open}
    >
      <Icon name={icon} size="large" />
    </button>
  );
}

function RailItem({ page, view }: { readonly page: Page; readonly view: LeftView }): VNode {
  const isOn = page.layout.left.value === view.id && page.layout.isShown('left');
  const count = view.count?.value;
  const label = count === undefined || count.number === 0 ? view.title : `${view.title}, ${count.words}`;
  const toggle = (): void => (isOn ? page.layout.close('left') : page.layout.showLeft(view.id));
  return (
    <button
      type="button"
      class={isOn ? 'on' : ''}
      aria-label={label}
      aria-pressed={isOn}
      title={label}
      onClick={toggle}
    >
      <Icon name={view.icon} size="large" />
      {count !== undefined && count.number > 0 && (
        <span class="n">{count.number > 99 ? '99' : count.number}</span>
      )}
    </button>
  );
}
