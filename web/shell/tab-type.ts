/** How the tabs of a type are shown, by the part that brings the type. */
import type { Page } from './page.ts';
import type { TabType } from './part.ts';

export function tabTypeOf(page: Page, type: string): TabType | undefined {
  return page.parts.value.flatMap((part) => part.tabTypes ?? []).find((each) => each.type === type);
}
