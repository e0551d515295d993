/**
 * How the page looks: no serious finding of axe, no text cut off or overlapping, in both themes and sizes.
 *
 * With FORERUN_UPDATE_SCREENSHOTS=1 the pictures of `docs/images` are taken anew.
 */
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { shop } from './support/shop.ts';
import { browserTest, type EditorTab, ShownEditor } from './support/shown-editor.ts';

const axeFile = createRequire(import.meta.url).resolve('axe-core');

const sizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

const views: Readonly<Record<string, (tab: EditorTab) => Promise<unknown>>> = {
  main: async (tab) => {
    await tab.open('src/currency.ts');
    await tab.open('src/cart.ts');
    await tab.page.locator('[data-path=src]').click();
    await tab.page.locator('[data-path="src/api"]').waitFor();
    await tab.caret('src/cart.ts', { after: 'export function total(items: readonly Item[]): ' });
    await tab.page.keyboard.type('string | ');
    await tab.page.keyboard.press('Escape');
    await tab.page.keyboard.press('Control+k');
    await tab.page.keyboard.press('f');
    await tab.page.locator('.status [data-verdict=break]').waitFor();
  },
  palette: async (tab) => {
    await tab.open('src/cart.ts');
    await tab.page.keyboard.press('F1');
    await tab.page.locator('#palette-list[data-for=">"] li').first().waitFor();
  },
  settings: async (tab) => {
    await tab.page.keyboard.press('Control+,');
    await tab.page.locator('[data-setting="look.theme"]').waitFor();
  },
};

const cases = Object.keys(views).flatMap((view) =>
  sizes.flatMap((size) => (['light', 'dark'] as const).map((theme) => ({ view, theme, size }))),
);

browserTest.each(cases)(
  '$view, $theme, $size.width: accessible, nothing cut off',
  async ({ view, theme, size }) => {
    await using shown = await ShownEditor.open({ files: shop, theme, size });
    const tab = await shown.page();
    await views[view]?.(tab);
    if (process.env.FORERUN_UPDATE_SCREENSHOTS === '1') {
      await mkdir('docs/images', { recursive: true });
      await tab.page.screenshot({ path: `docs/images/editor-${view}-${theme}-${size.width}.png` });
    }
    expect(await seriousFindings(tab.page)).toEqual([]);
    expect(await cutOffTexts(tab.page)).toEqual([]);
    expect(await overlaps(tab.page)).toEqual([]);
  },
);

async function seriousFindings(page: Page): Promise<readonly string[]> {
  // The policy of the page forbids inline scripts; this one comes through the debugger.
  await page.evaluate((await import('node:fs')).readFileSync(axeFile, 'utf8'));
  return page.evaluate(async () => {
    const { violations } = await Reflect.get(window, 'axe').run(document, { resultTypes: ['violations'] });
    return violations
      .filter(({ impact }: { impact: string }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
          `${id}: ${nodes
            .map(({ html }) => html)
            .slice(0, 3)
            .join(' | ')}`,
      );
  });
}

/** Texts that are wider than their place without an ellipsis. */
function cutOffTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        '.status *, .tab, .ptab, .b, .head h2, .setr span, .omni, .crumb',
      ),
    ]
      .filter(
        (element) => element.offsetParent !== null && getComputedStyle(element).textOverflow !== 'ellipsis',
      )
      .filter(
        (element) =>
          !element.closest('.cut, .sr') &&
          element.scrollWidth > element.clientWidth + 1 &&
          element.clientWidth > 0,
      )
      .filter((element) => getComputedStyle(element).overflow !== 'visible')
      .map((element) => `${element.className}: ${element.textContent}`),
  );
}

/** The regions of the shell touch and never overlap. */
function overlaps(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const regions = [
      ...document.querySelectorAll<HTMLElement>('.top, .rail, .left, .groups, .bottom, .right, .status'),
    ];
    const boxes = regions.map((element) => ({
      name: element.className,
      box: element.getBoundingClientRect(),
    }));
    return boxes.flatMap((a, index) =>
      boxes.slice(index + 1).flatMap((b) => {
        const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        return width > 1 && height > 1 ? [`${a.name} and ${b.name}`] : [];
      }),
    );
  });
}
