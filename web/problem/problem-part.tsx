/** Problems: the present state of the disk and the open buffers. */
import type { Page } from '../shell/page.ts';
import type { Part } from '../shell/part.ts';

export function problemPart(_page: Page): Part {
  return {};
}
