/** The views at the left edge; one of them is shown in the left panel. */
import type { VNode } from 'preact';
import { Icon } from '../ui/icon.tsx';
import { stepFocus } from './focus-step.ts';
import type { Page } from './page.ts';
import type { LeftView } from './part.ts';

export function leftViews(page: Page): readonly LeftView[] {
  return page.parts.value.flatMap((part) => part.leftViews ?? []).sort((a, b) => a.order - b.order);
}

export function Rail({ page }: { readonly page: Page }): VNode {
  const views = leftViews(page);
  return (
    <nav
      class="rail"
      aria-label="Views"
      data-region="rail"
      onKeyDown={(event) => stepFocus(event, 'vertical')}
    >
      {views.map((view) => (
        <RailItem key={view.id} page={page} view={view} />
      ))}
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

function RailItem({ page, view }: { readonly page: Page; readonly view: LeftView }): VNode {
  const isOn = page.layout.left.value === view.id;
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
