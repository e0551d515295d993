/** The regions of the page, in the order in which F6 walks them. */
import type { Page } from './page.ts';

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
  if (active?.path === page.tabs.activePath.peek() && active !== undefined) active.view.focus();
  else {
    const region = document.querySelector<HTMLElement>('[data-region=editor] .group.active');
    if (region !== null) target(region)?.focus();
  }
}

/** What gets the focus when a region does: its text, its selected row, or its first control. */
function target(region: HTMLElement): HTMLElement | undefined {
  const wanted = [
    '.cm-content',
    'textarea',
    '[role=tree] [tabindex="0"]',
    '[role=listbox][tabindex="0"]',
    '[aria-selected=true][tabindex="0"]',
    'button:not([disabled]), input, [tabindex="0"]',
  ];
  for (const selector of wanted) {
    const found = [...region.querySelectorAll<HTMLElement>(selector)].find(
      (each) => each.offsetParent !== null,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
