/**
 * The tabs of the editor area, in groups that stand side by side.
 *
 * Invariants: there is always one group at least, and the active group exists. A file has at most one tab in a group. A
 * group has at most one preview tab, which the next file that is looked at replaces.
 */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';

export interface Tab {
  readonly id: string;
  /** `file`, or that of a TabType which a part brings. */
  readonly type: string;
  /** What the tab shows: a path for files, anything for other types. One tab per type and key in a group. */
  readonly key: string;
  readonly title: string;
  /** Italic; the next one that is looked at takes its place. */
  readonly isPreview: boolean;
}

export interface TabGroup {
  readonly id: string;
  readonly tabs: readonly Tab[];
  readonly activeId: string | undefined;
}

export interface TabRequest {
  readonly type: string;
  readonly key: string;
  readonly title: string;
  readonly isPreview?: boolean;
}

/** As it is kept over a reload. */
export interface SavedTabs {
  readonly groups: readonly {
    readonly tabs: readonly TabRequest[];
    readonly active: number;
  }[];
  readonly activeGroup: number;
}

export class TabStore {
  readonly groups = signal<readonly TabGroup[]>([{ id: 'group-0', tabs: [], activeId: undefined }]);
  readonly activeGroupId = signal('group-0');
  readonly #closed: TabRequest[] = [];
  #nextId = 1;

  readonly activeGroup: ReadonlySignal<TabGroup | undefined> = computed(() =>
    this.groups.value.find(({ id }) => id === this.activeGroupId.value),
  );

  readonly active: ReadonlySignal<Tab | undefined> = computed(() => {
    const group = this.activeGroup.value;
    return group?.tabs.find(({ id }) => id === group.activeId);
  });

  /** The file whose tab is active. */
  readonly activePath: ReadonlySignal<string | undefined> = computed(() => {
    const tab = this.active.value;
    return tab?.type === 'file' ? tab.key : undefined;
  });

  /** The paths of all file tabs. */
  readonly paths: ReadonlySignal<ReadonlySet<string>> = computed(
    () =>
      new Set(
        this.groups.value.flatMap(({ tabs }) =>
          tabs.filter(({ type }) => type === 'file').map(({ key }) => key),
        ),
      ),
  );

  open(request: TabRequest): Tab {
    const group = this.activeGroup.peek() ?? this.groups.peek()[0];
    const same = group?.tabs.find(({ type, key }) => type === request.type && key === request.key);
    if (group !== undefined && same !== undefined) {
      const tab = same.isPreview && request.isPreview !== true ? { ...same, isPreview: false } : same;
      this.#replace(group.id, ({ tabs }) => ({
        tabs: tabs.map((each) => (each.id === tab.id ? tab : each)),
        activeId: tab.id,
      }));
      return tab;
    }
    const tab: Tab = { ...request, id: `tab-${this.#nextId++}`, isPreview: request.isPreview === true };
    this.#replace(group?.id ?? '', ({ tabs, activeId }) => {
      const kept = tab.isPreview ? tabs.filter(({ isPreview }) => !isPreview) : tabs;
      const after = kept.findIndex(({ id }) => id === activeId);
      const at = after < 0 ? kept.length : after + 1;
      return { tabs: [...kept.slice(0, at), tab, ...kept.slice(at)], activeId: tab.id };
    });
    return tab;
  }

  /** A preview that was edited or double-clicked stays. */
  keep(path: string): void {
    this.#changeAll((tab) =>
      tab.type === 'file' && tab.key === path && tab.isPreview ? { ...tab, isPreview: false } : tab,
    );
  }

  activate(groupId: string, tabId: string): void {
    batch(() => {
      this.activeGroupId.value = groupId;
      this.#replace(groupId, () => ({ activeId: tabId }));
    });
  }

  focusGroup(groupId: string): void {
    this.activeGroupId.value = groupId;
  }

  close(groupId: string, tabId: string): void {
    const group = this.groups.peek().find(({ id }) => id === groupId);
    const at = group?.tabs.findIndex(({ id }) => id === tabId) ?? -1;
    const closed = group?.tabs[at];
    if (group === undefined || closed === undefined) return;
    this.#closed.push(closed);
    const tabs = group.tabs.filter(({ id }) => id !== tabId);
    const next = group.activeId === tabId ? (tabs[at] ?? tabs[at - 1])?.id : group.activeId;
    batch(() => {
      if (tabs.length === 0 && this.groups.peek().length > 1) this.#removeGroup(groupId);
      else this.#replace(groupId, () => ({ tabs, activeId: next }));
    });
  }

  /** Closes every tab of a type and key, wherever it is. */
  closeAll(type: string, key: string): void {
    for (const group of this.groups.peek()) {
      for (const tab of group.tabs) if (tab.type === type && tab.key === key) this.close(group.id, tab.id);
    }
  }

  reopen(): void {
    const last = this.#closed.pop();
    if (last !== undefined) this.open({ ...last, isPreview: false });
  }

  /** A file that got another name keeps its tabs. */
  rename(from: string, to: string, title: string): void {
    this.#changeAll((tab) => (tab.type === 'file' && tab.key === from ? { ...tab, key: to, title } : tab));
  }

  /** A second group at the right with the same tab; it becomes the active one. */
  split(): void {
    const active = this.active.peek();
    if (active === undefined) return;
    const id = `group-${this.#nextId++}`;
    const copy: Tab = { ...active, id: `tab-${this.#nextId++}`, isPreview: false };
    batch(() => {
      const groups = this.groups.peek();
      const at = groups.findIndex((group) => group.id === this.activeGroupId.peek()) + 1;
      const added = { id, tabs: [copy], activeId: copy.id };
      this.groups.value = [...groups.slice(0, at), added, ...groups.slice(at)];
      this.activeGroupId.value = id;
    });
  }

  /** The tab before or after the active one, around the ends. */
  step(by: 1 | -1): void {
    const group = this.activeGroup.peek();
    if (group === undefined || group.tabs.length === 0) return;
    const at = group.tabs.findIndex(({ id }) => id === group.activeId);
    const next = group.tabs[(at + by + group.tabs.length) % group.tabs.length];
    if (next !== undefined) this.activate(group.id, next.id);
  }

  stepGroup(): void {
    const groups = this.groups.peek();
    const at = groups.findIndex(({ id }) => id === this.activeGroupId.peek());
    const next = groups[(at + 1) % groups.length];
    if (next !== undefined) this.focusGroup(next.id);
  }

  saved(): SavedTabs {
    const groups = this.groups.value;
    return {
      groups: groups.map(({ tabs, activeId }) => ({
        tabs: tabs.map(({ type, key, title, isPreview }) => ({ type, key, title, isPreview })),
        active: tabs.findIndex(({ id }) => id === activeId),
      })),
      activeGroup: groups.findIndex(({ id }) => id === this.activeGroupId.value),
    };
  }

  restore(saved: SavedTabs): void {
    const groups = saved.groups.map(({ tabs, active }) => {
      const made = tabs.map(
        (tab): Tab => ({ ...tab, id: `tab-${this.#nextId++}`, isPreview: tab.isPreview === true }),
      );
      return { id: `group-${this.#nextId++}`, tabs: made, activeId: made[active]?.id };
    });
    const first = groups[saved.activeGroup] ?? groups[0];
    if (first === undefined) return;
    batch(() => {
      this.groups.value = groups;
      this.activeGroupId.value = first.id;
    });
  }

  #replace(groupId: string, change: (group: TabGroup) => Partial<TabGroup>): void {
    this.groups.value = this.groups
      .peek()
      .map((group) => (group.id === groupId ? { ...group, ...change(group) } : group));
  }

  #changeAll(change: (tab: Tab) => Tab): void {
    this.groups.value = this.groups.peek().map((group) => ({ ...group, tabs: group.tabs.map(change) }));
  }

  #removeGroup(groupId: string): void {
    const groups = this.groups.peek().filter(({ id }) => id !== groupId);
    this.groups.value = groups;
    if (this.activeGroupId.peek() === groupId) this.activeGroupId.value = groups.at(-1)?.id ?? 'group-0';
  }
}
