/**
 * What a page remembers over a reload: tabs and panels in this browser tab, and the last state of the workspace for a new one.
 *
 * Invariant: what is read back is parsed; a state that is not understood is forgotten.
 */
import { effect } from '@preact/signals';
import { z } from 'zod';
import { neverAborts, type Page } from './page.ts';

const state = z.object({
  tabs: z.object({
    groups: z.array(
      z.object({
        tabs: z.array(
          z.object({
            type: z.string(),
            key: z.string(),
            title: z.string(),
            isPreview: z.boolean().default(false),
          }),
        ),
        active: z.number(),
      }),
    ),
    activeGroup: z.number(),
  }),
  layout: z.object({
    left: z.string().optional(),
    bottom: z.string().optional(),
    isRightShown: z.boolean(),
    sizes: z.object({
      left: z.number().optional(),
      right: z.number().optional(),
      bottom: z.number().optional(),
    }),
  }),
});

/** Restores what was kept once the workspace is known, then keeps every change. */
export function keepState(page: Page): void {
  let isRestored = false;
  const writer = new LayoutWriter(page);
  let lastLayout: string | undefined;
  page.link.onSnapshot(({ settings }) => {
    lastLayout = settings?.layout;
  });
  effect(() => {
    const root = page.workspace.value?.root;
    if (root === undefined) return;
    if (!isRestored) {
      isRestored = true;
      restore(page, sessionStorage.getItem(keyOf(root)) ?? lastLayout);
    }
    const kept = JSON.stringify({ tabs: page.tabs.saved(), layout: page.layout.saved() });
    sessionStorage.setItem(keyOf(root), kept);
    writer.write(kept);
  });
}

const keyOf = (root: string): string => `forerun.page ${root}`;

/** Sends the layout to the back end when it has not changed for a while: dragging an edge is not a hundred messages. */
class LayoutWriter {
  readonly #page: Page;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(page: Page) {
    this.#page = page;
  }

  write(layout: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // Offline: this tab remembers it by itself.
      this.#page.link.request('setting.setLayout', { layout }, neverAborts).catch(() => undefined);
    }, 500);
  }
}

function restore(page: Page, kept: string | undefined): void {
  const parsed = kept === undefined ? undefined : state.safeParse(JSON.parse(kept));
  if (parsed?.success !== true) return;
  const { tabs, layout } = parsed.data;
  page.tabs.restore(tabs);
  const { left, right, bottom } = layout.sizes;
  page.layout.restore({
    left: layout.left,
    bottom: layout.bottom,
    isRightShown: layout.isRightShown,
    sizes: {
      ...(left !== undefined && { left }),
      ...(right !== undefined && { right }),
      ...(bottom !== undefined && { bottom }),
    },
  });
}
