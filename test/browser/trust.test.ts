/** The question whether a workspace is trusted, in a real browser. */
import { expect } from 'vitest';
import { shop } from './support/shop.ts';
import { browserTest, ShownEditor } from './support/shown-editor.ts';

browserTest('a workspace that is not trusted says so until the user trusts it', async () => {
  await using shown = await ShownEditor.open({ files: shop, trust: 'untrusted' });
  const { page } = await shown.page();
  const note = page.getByRole('region', { name: 'Trust' });
  await note.waitFor();
  expect(await note.textContent()).toContain('Not trusted yet: the tools of this workspace are not used.');
  expect(shown.world.editor.context.live.trust).toBe('untrusted');
  await note.getByRole('button', { name: 'Trust this workspace' }).click();
  await expect.poll(() => note.count()).toBe(0);
  expect(shown.world.editor.context.live.trust).toBe('trusted');
  expect(await page.locator('.toast').allTextContents()).toEqual([
    expect.stringContaining('This workspace is trusted.'),
  ]);
});

browserTest(
  'the question can be put off, and stays so after a reload; nothing is trusted by that',
  async () => {
    await using shown = await ShownEditor.open({ files: shop, trust: 'untrusted' });
    const tab = await shown.page();
    const note = tab.page.getByRole('region', { name: 'Trust' });
    await note.getByRole('button', { name: 'Not now' }).click();
    await expect.poll(() => note.count()).toBe(0);
    await tab.page.reload();
    await tab.connected();
    expect(await note.count()).toBe(0);
    expect(shown.world.editor.context.live.trust).toBe('untrusted');
  },
);

browserTest('a trusted workspace is not asked about', async () => {
  await using shown = await ShownEditor.open({ files: shop });
  const tab = await shown.page();
  await tab.open('src/cart.ts');
  expect(await tab.page.getByRole('region', { name: 'Trust' }).count()).toBe(0);
});
