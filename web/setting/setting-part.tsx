/** Settings of the page, as a tab. */
import type { Page } from '../shell/page.ts';
import type { Part } from '../shell/part.ts';

export function settingPart(_page: Page): Part {
  return {};
}
