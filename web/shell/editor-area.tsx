/** The groups of tabs, side by side. */
import type { ComponentChildren, VNode } from 'preact';
import type { Page } from './page.ts';
import type { TabGroup } from './tab-store.ts';
import { TabStrip } from './tab-strip.tsx';
import { tabTypeOf } from './tab-type.ts';

export function EditorArea({ page }: { readonly page: Page }): VNode {
  return (
    <div class="groups" data-region="editor">
      {page.tabs.groups.value.map((group) => (
        <EditorGroup key={group.id} page={page} group={group} />
      ))}
    </div>
  );
}

function EditorGroup({ page, group }: { readonly page: Page; readonly group: TabGroup }): VNode {
  const tab = group.tabs.find(({ id }) => id === group.activeId);
  const isActive = page.tabs.activeGroupId.value === group.id;
  return (
    <section
      class={`group${isActive ? ' active' : ''}`}
      aria-label={`Editor group ${page.tabs.groups.value.indexOf(group) + 1}`}
      data-group={group.id}
      onFocusCapture={() => {
        page.tabs.focusGroup(group.id);
        if (page.layout.over.peek() === 'left') page.layout.close('left');
      }}
    >
      {group.tabs.length > 0 && <TabStrip page={page} group={group} />}
      {page.parts.value.map((part, index) => (
        <div key={index}>{isActive ? (part.notes?.() ?? null) : null}</div>
      ))}
      {tab === undefined ? (
        emptyEditor(page)
      ) : (
        <div
          class="tab-body"
          role="tabpanel"
          id={`${group.id}-body`}
          aria-label={tab.title}
          key={tab.id}
          tabIndex={-1}
        >
          {tabTypeOf(page, tab.type)?.body(tab) ?? <p class="emp">This tab cannot be shown.</p>}
        </div>
      )}
    </section>
  );
}

function emptyEditor(page: Page): ComponentChildren {
  return page.parts.value.map((part) => part.emptyEditor?.()).find((body) => body !== undefined) ?? null;
}
