/**
 * What a page remembers over a reload: tabs and panels in this browser tab, and the last state of the workspace for a new one.
 *
 * Invariant: what is read back is parsed; a state that is not understood is forgotten.
 */
import { effect } from '@preact/signals';
import { z } from 'zod';
import type { Page } from './page.ts';

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
  effect(() => {
    const root = page.workspace.value?.root;
    if (root === undefined) return;
    if (!isRestored) {
      isRestored = true;
      restore(page, root);
    }
    const kept = JSON.stringify({ tabs: page.tabs.saved(), layout: page.layout.saved() });
    sessionStorage.setItem(keyOf(root), kept);
    localStorage.setItem(keyOf(root), kept);
  });
}

const keyOf = (root: string): string => `forerun.page ${root}`;

function restore(page: Page, root: string): void {
  const kept = sessionStorage.getItem(keyOf(root)) ?? localStorage.getItem(keyOf(root));
  const parsed = kept === null ? undefined : state.safeParse(JSON.parse(kept));
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
