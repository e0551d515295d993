/** Terminals in a real browser, on a real shell. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { shop } from './support/shop.ts';
import { browserTest, ShownEditor } from './support/shown-editor.ts';

const env = { SHELL: '/bin/sh', PS1: '> ' };

/** What the terminal shows, without the ends of lines. */
async function screen(page: Page): Promise<string> {
  return (await page.locator('.xterm-rows > div').allTextContents()).join('\n');
}

browserTest(
  'no terminal is opened but by the user; one shows the shell and follows the size of the panel',
  async () => {
    await using shown = await ShownEditor.open({ files: shop, env });
    const { page } = await shown.page();
    await page.keyboard.press('Control+j');
    await page.getByRole('tab', { name: 'Terminal' }).click();
    await page.getByText('No terminal is open').waitFor();
    expect(shown.world.editor.snapshot().terminals).toEqual([]);
    await page.getByRole('button', { name: 'Open a terminal' }).click();
    await page.locator('.xterm-helper-textarea').waitFor({ state: 'attached' });
    await expect.poll(() => screen(page)).toContain('>');
    await page.keyboard.type('ls; stty size\n');
    await expect.poll(() => screen(page)).toContain('README.md');
    const columns = () => shown.world.editor.snapshot().terminals?.[0]?.columns ?? 0;
    const before = columns();
    expect(before).not.toBe(80);
    await page.setViewportSize({ width: 1210, height: 800 });
    await expect.poll(columns).toBeLessThan(before);
  },
);

browserTest('a terminal survives a reload and is shared by a second tab', async () => {
  await using shown = await ShownEditor.open({ files: shop, env });
  const first = await shown.page();
  await first.page.keyboard.press('Control+`');
  await expect.poll(() => screen(first.page)).toContain('>');
  await first.page.keyboard.type('echo one-$((40+2))\n');
  await expect.poll(() => screen(first.page)).toContain('one-42');
  await first.page.reload();
  await first.connected();
  await expect.poll(() => screen(first.page)).toContain('one-42');
  const second = await shown.page();
  await second.page.keyboard.press('Control+`');
  await expect.poll(() => screen(second.page)).toContain('one-42');
  await second.page.keyboard.type('echo two-$((40+3))\n');
  await expect.poll(() => screen(second.page)).toContain('two-43');
  // A browser draws the tab in front only.
  await first.page.bringToFront();
  await expect.poll(() => screen(first.page)).toContain('two-43');
});

browserTest('several terminals are listed; one that is ended goes', async () => {
  await using shown = await ShownEditor.open({ files: shop, env });
  const { page } = await shown.page();
  await page.keyboard.press('Control+`');
  await expect.poll(() => screen(page)).toContain('>');
  await page.getByRole('button', { name: 'New terminal' }).click();
  const list = page.getByRole('tablist', { name: 'Terminals' });
  await expect.poll(() => list.getByRole('tab').allTextContents()).toEqual(['sh 1', 'sh 2']);
  await list.getByRole('tab', { name: 'sh 1' }).click();
  await page.locator('[data-terminal=terminal-1]').waitFor();
  await page.getByRole('button', { name: 'End this terminal' }).click();
  await page.locator('[data-terminal=terminal-2]').waitFor();
  expect(await list.count()).toBe(0);
  // The keys of the page work while the terminal has the focus.
  await page.locator('.xterm-helper-textarea').focus();
  await page.keyboard.press('F6');
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.xterm') === null)).toBe(true);
});
