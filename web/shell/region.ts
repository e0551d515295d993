/**
 * The regions of the page, in the order in which F6 walks them, and how one gets the focus.
 *
 * Invariant: a region that was asked for has the focus before the next key, whether its content is there yet or not.
 */
import { bottomViews } from './bottom-panel.tsx';
import type { Page } from './page.ts';
import { leftViews } from './rail.tsx';
import { rightView } from './right-panel.tsx';
import type { TabRequest } from './tab-store.ts';
import { tabTypeOf } from './tab-type.ts';

const order = ['top', 'rail', 'left', 'editor', 'bottom', 'right', 'status', 'toasts'];

export function stepRegion(page: Page, by: 1 | -1): void {
  const regions = order.flatMap((name) => {
    const element = document.querySelector<HTMLElement>(`[data-region=${name}]`);
    return element !== null && target(element) !== undefined ? [{ name, element }] : [];
  });
  const at = regions.findIndex(({ element }) => element.contains(document.activeElement));
  const next = regions[(at + by + regions.length) % regions.length];
  if (next === undefined) return;
  if (next.name === 'editor') focusEditor(page);
  else target(next.element)?.focus();
}

/** The text of the active tab, or whatever in the editor area takes the focus. */
export function focusEditor(page: Page): void {
  const active = page.editors.active.peek();
  if (active?.path === page.tabs.activePath.peek() && active !== undefined) {
    active.view.focus();
    return;
  }
  const body = document.querySelector<HTMLElement>(activeBody);
  const group = document.querySelector<HTMLElement>(`${editorRegion} .group.active`);
  if (body === null) {
    if (group !== null) target(group)?.focus();
  } else if (!focusEntry(body, entryOfTab(page))) body.focus();
}

const editorRegion = '[data-region=editor]';
const activeBody = `${editorRegion} .group.active > .tab-body`;

/** What decides something, such as a button, never has the focus by itself. */
function entryOfTab(page: Page): string {
  const type = page.tabs.active.peek()?.type ?? '';
  return tabTypeOf(page, type)?.entry ?? '.cm-content, textarea, input:checked[type=radio]';
}

/** Opens a tab that is no file, with the focus in it. */
export function enterTab(page: Page, request: TabRequest): void {
  page.tabs.open(request);
  enterRegion(activeBody, entryOfTab(page));
}

/** Shows a view at the left, with the focus in it. */
export function enterLeftView(page: Page, id: string): void {
  page.layout.showLeft(id);
  enterRegion('[data-region=left]', leftViews(page).find((view) => view.id === id)?.entry);
}

/** Shows the panel at the right, with the focus in it. */
export function enterRightView(page: Page): void {
  page.layout.showRight();
  enterRegion('[data-region=right]', rightView(page)?.entry);
}

/** Shows a view of the panel at the bottom, with the focus in it. */
export function enterBottomView(page: Page, id: string): void {
  page.layout.showBottom(id);
  enterRegion('[data-region=bottom]', bottomViews(page).find((view) => view.id === id)?.entry);
}

/** The focus goes to the entry of a region; while there is none, to the region itself, and on as soon as there is one. */
function enterRegion(selector: string, entry: string | undefined): void {
  // The render that the caller has queued comes first, and the next key after it.
  queueMicrotask(() => {
    const region = document.querySelector<HTMLElement>(selector);
    if (region === null || focusEntry(region, entry)) return;
    region.focus();
    const observer = new MutationObserver(() => focusEntry(region, entry));
    observer.observe(region, { childList: true, subtree: true });
    // The user went elsewhere, or the entry has the focus.
    region.addEventListener('blur', () => observer.disconnect(), { once: true });
  });
}

function focusEntry(region: HTMLElement, entry: string | undefined): boolean {
  const found = entry === undefined ? null : region.querySelector<HTMLElement>(entry);
  found?.focus();
  if (found instanceof HTMLInputElement) found.select();
  return found !== null;
}

/** What gets the focus when F6 comes to a region: its text, its selected row, its first control, or the region itself. */
function target(region: HTMLElement): HTMLElement | undefined {
  const wanted = [
    '.cm-content',
    'textarea',
    '[role=tree] [tabindex="0"]',
    '[role=listbox][tabindex="0"]',
    '[aria-selected=true][tabindex="0"]',
    'button:not([disabled]), input, [tabindex="0"]:not([role=separator])',
  ];
  for (const selector of wanted) {
    const found = [...region.querySelectorAll<HTMLElement>(selector)].find(
      (each) => each.offsetParent !== null,
    );
    if (found !== undefined) return found;
  }
  return region.hasAttribute('tabindex') && region.offsetParent !== null ? region : undefined;
}
