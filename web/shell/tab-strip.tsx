/** The tabs of one group: name, unsaved dot, conflict square, lock. What does not fit goes to a menu at the right. */
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { stepFocus } from './focus-step.ts';
import type { Page } from './page.ts';
import { folderOf } from './place.ts';
import type { Tab, TabGroup } from './tab-store.ts';
import { tabTypeOf } from './tab-type.ts';

interface TabStripProps {
  readonly page: Page;
  readonly group: TabGroup;
}

export function TabStrip({ page, group }: TabStripProps): VNode {
  const strip = useRef<HTMLDivElement>(null);
  const [isFull, setFull] = useState(false);
  useLayoutEffect(() => {
    const element = strip.current;
    if (element === null) return undefined;
    const measure = (): void => setFull(element.scrollWidth > element.clientWidth + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    element.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    return () => observer.disconnect();
    // The menu takes room from the strip.
  }, [group.tabs, group.activeId, isFull]);
  return (
    <div class="tabs">
      <div
        class="tab-list"
        role="tablist"
        aria-label="Open files"
        ref={strip}
        onKeyDown={(event) => stepFocus(event, 'horizontal')}
      >
        {group.tabs.map((tab) => (
          <TabItem key={tab.id} page={page} group={group} tab={tab} />
        ))}
      </div>
      <div class="end">
        {isFull && (
          <Menu
            label="All tabs"
            icon="chevronDown"
            items={group.tabs.map((tab) => ({
              title: titleOf(page, tab),
              run: () => page.tabs.activate(group.id, tab.id),
            }))}
          />
        )}
        <IconButton icon="split" label="Split right" onClick={() => page.commands.run('tab.split')} />
        <Menu
          label="More"
          icon="more"
          items={['tab.close', 'tab.close-others', 'tab.reopen', 'file.save', 'file.save-all'].map((id) => ({
            title: page.commands.all.value.find((command) => command.id === id)?.title ?? id,
            run: () => page.commands.run(id),
          }))}
        />
      </div>
    </div>
  );
}

/** Files of one name get their folder. */
export function titleOf(page: Page, tab: Tab): string {
  const own = tabTypeOf(page, tab.type)?.title?.(tab) ?? tab.title;
  if (tab.type !== 'file') return own;
  const same = [...page.tabs.paths.value].filter(
    (path) => path !== tab.key && path.endsWith(`/${tab.title}`),
  );
  const isTwice = same.length > 0 || (tab.key.includes('/') && page.tabs.paths.value.has(tab.title));
  return isTwice ? `${own} ${folderOf(tab.key)}`.trim() : own;
}

function TabItem({ page, group, tab }: TabStripProps & { readonly tab: Tab }): VNode {
  const isOn = group.activeId === tab.id;
  const state = tab.type === 'file' ? page.buffers.states.value.get(tab.key) : undefined;
  const isUnsaved = state?.isUnsaved === true;
  const title = titleOf(page, tab);
  const icon = tabTypeOf(page, tab.type)?.icon;
  const close = (): void => page.closeTab(group.id, tab);
  const words = [title, ...stateWords(state)].join(', ');
  return (
    <div
      class={`tab${isOn ? ' on' : ''}${tab.isPreview ? ' preview' : ''}${state?.conflict === 'deleted' ? ' gone' : ''}`}
      role="tab"
      aria-selected={isOn}
      aria-label={words}
      aria-controls={`${group.id}-body`}
      tabIndex={isOn ? 0 : -1}
      title={state?.conflict === 'deleted' ? `${tab.key}, deleted on disk` : tab.key}
      data-tab={tab.key}
      data-unsaved={isUnsaved}
      onClick={() => page.tabs.activate(group.id, tab.id)}
      onDblClick={() => page.tabs.keep(tab.key)}
      onAuxClick={(event) => event.button === 1 && close()}
      onKeyDown={(event) => {
        if (event.key === 'Enter' || event.key === ' ') page.tabs.activate(group.id, tab.id);
        if (event.key === 'Delete') close();
      }}
    >
      {icon !== undefined && <Icon name={icon} size="small" />}
      <span class="tab-name">{title}</span>
      {state?.readOnly !== undefined && <Icon name="lock" size="small" />}
      {state !== undefined && state.conflict !== 'none' && (
        <span class="c-caution tab-mark">
          <Icon name="conflict" size="small" />
        </span>
      )}
      <span
        class={`x${isUnsaved ? ' unsaved' : ''}`}
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          close();
        }}
      >
        {isUnsaved && <span class="dotm" />}
        <Icon name="close" size="small" />
      </span>
    </div>
  );
}

function stateWords(
  state:
    | { readonly isUnsaved: boolean; readonly conflict: string; readonly readOnly?: string | undefined }
    | undefined,
): readonly string[] {
  if (state === undefined) return [];
  return [
    ...(state.isUnsaved ? ['unsaved'] : []),
    ...(state.conflict === 'changed' ? ['changed on disk'] : []),
    ...(state.conflict === 'deleted' ? ['deleted on disk'] : []),
    ...(state.readOnly !== undefined ? ['read only'] : []),
  ];
}
