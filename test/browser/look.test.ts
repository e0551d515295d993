/**
 * How the page looks: no serious finding of axe, no text cut off or overlapping, in both themes and sizes.
 *
 * With FORERUN_UPDATE_SCREENSHOTS=1 the pictures of `docs/images` are taken anew.
 */
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { views } from './support/look-view.ts';
import { shop } from './support/shop.ts';
import { browserTest, ShownEditor } from './support/shown-editor.ts';

const axeSource = (): string => readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

const sizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

const narrow = [
  { width: 1024, height: 768 },
  { width: 800, height: 600 },
];

/** Every look of a view: both themes in the sizes of the pictures, and one theme in narrow windows. */
function looksOf(view: string): readonly Look[] {
  return [
    ...sizes.flatMap((size) => (['light', 'dark'] as const).map((theme) => ({ theme, size }))),
    ...narrow
      // Views of the left panel lie over the text there, as they should.
      .filter(({ width }) => width >= 1024 || (view !== 'changes' && view !== 'search'))
      .map((size) => ({ theme: 'light' as const, size })),
  ];
}

interface Look {
  readonly theme: 'light' | 'dark';
  readonly size: { readonly width: number; readonly height: number };
}

browserTest.each(Object.keys(views))(
  '%s: accessible and nothing cut off, in both themes and all sizes',
  async (view) => {
    const env = { SHELL: '/bin/sh', PS1: 'shop > ' };
    await using model = await ScriptedProvider.open();
    model.script(() => []);
    await using shown = await ShownEditor.open({
      files: shop,
      git: 'committed',
      env,
      model,
      ...(view === 'first-run' && { trust: 'untrusted', modelState: 'none' }),
    });
    const tab = await shown.page();
    await views[view]?.({ tab, shown, model });
    const found: Record<string, readonly string[]> = {};
    for (const { theme, size } of looksOf(view)) {
      await tab.page.emulateMedia({ colorScheme: theme });
      await tab.page.setViewportSize(size);
      await drawn(tab.page);
      if (process.env.FORERUN_UPDATE_SCREENSHOTS === '1' && sizes.includes(size)) {
        await mkdir('docs/images', { recursive: true });
        await tab.page.screenshot({ path: `docs/images/editor-${view}-${theme}-${size.width}.png` });
      }
      found[`${theme} ${size.width}`] = [
        ...(await seriousFindings(tab.page)),
        ...(await cutOffTexts(tab.page)),
        ...(await overlaps(tab.page)),
        ...(await cutOffNotes(tab.page)),
      ];
    }
    expect(Object.entries(found).filter(([, findings]) => findings.length > 0)).toEqual([]);
  },
);

/** What follows the size and the theme has been drawn: observers of sizes are called before a frame, and draw in the next. */
function drawn(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++)
      await new Promise((resolve) => {
        requestAnimationFrame(resolve);
      });
  });
}

browserTest('in a narrow window panels open over the text, and leave it', async () => {
  await using model = await ScriptedProvider.open();
  await using shown = await ShownEditor.open({ files: shop, model, size: { width: 800, height: 600 } });
  const tab = await shown.page();
  const [left, right] = [tab.page.locator('.left'), tab.page.locator('.right')];
  expect([await left.isVisible(), await right.isVisible()]).toEqual([false, false]);
  await tab.page.getByRole('button', { name: 'Files', exact: true }).click();
  await left.waitFor();
  await tab.page.locator('[data-path="README.md"]').dblclick();
  await tab.editor('README.md').waitFor();
  await expect.poll(() => left.isVisible()).toBe(false);
  await tab.page.getByRole('button', { name: 'Agent panel, hidden' }).click();
  await right.waitFor();
  expect(await cutOffTexts(tab.page)).toEqual([]);
  await tab.page.getByRole('textbox', { name: 'Message to the agent' }).press('Escape');
  await expect.poll(() => right.isVisible()).toBe(false);
});

async function seriousFindings(page: Page): Promise<readonly string[]> {
  // The policy of the page forbids inline scripts; this one comes through the debugger, once for all looks of a view.
  if (!(await page.evaluate(() => Reflect.has(window, 'axe')))) await page.evaluate(axeSource());
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

/** Texts that are wider than their place without an ellipsis, or higher. */
function cutOffTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    /** The words of a button take more lines than it has room for. */
    const isTaller = (element: HTMLElement): boolean =>
      element.matches('button') && element.scrollHeight > element.clientHeight + 2;
    return [
      ...document.querySelectorAll<HTMLElement>(
        '.status *, .tab, .ptab, .b, .seg button, .head h2, .setr span, .omni, .crumb',
      ),
    ]
      .filter(
        (element) => element.offsetParent !== null && getComputedStyle(element).textOverflow !== 'ellipsis',
      )
      .filter(
        (element) =>
          !element.closest('.cut, .sr') &&
          (element.scrollWidth > element.clientWidth + 1 || isTaller(element)) &&
          element.clientWidth > 0,
      )
      .filter((element) => getComputedStyle(element).overflow !== 'visible' || isTaller(element))
      .map((element) => `${element.className}: ${element.textContent}`);
  });
}

/** Notes at the ends of lines that reach beyond the view. */
function cutOffNotes(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.cause-note')].flatMap((note) => {
      const words = note.querySelector(`.cause-${note.dataset.form}`);
      const edge = note.closest('.cm-scroller')?.getBoundingClientRect().right ?? 0;
      const isWhole = words !== null && words.getBoundingClientRect().right <= edge;
      return isWhole ? [] : [`${note.dataset.form}: ${note.textContent}`];
    }),
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
