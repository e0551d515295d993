/** Merges before they happen, in a real browser: chosen branches, every pair, the train, and the changes that collide. */
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Overlay } from '../../src/overlay/overlay.ts';
import { Baseline } from '../../src/workspace/baseline.ts';
import { gitIn } from '../support/git-workspace.ts';
import { calm } from '../support/world.ts';
import { branchesOf } from './support/merge-branches.ts';
import { shop } from './support/shop.ts';
import { browserTest, ShownEditor } from './support/shown-editor.ts';

browserTest(
  'branches are judged alone, in pairs and as a train; colliding changes are named; by keyboard alone',
  async () => {
    await using shown = await ShownEditor.open({ files: shop, git: 'committed' });
    const { root } = shown.world.scratch.workspace;
    await branchesOf(root);
    const tab = await shown.page();
    const { page } = tab;
    await page.keyboard.press('Control+k');
    await page.keyboard.press('m');
    for (const name of ['feat/money', 'feat/discounts', 'feat/names', 'fix/rounding']) {
      await page.getByRole('checkbox', { name }).check();
    }
    await page.getByRole('button', { name: 'Check 4 together' }).click();
    // Cells have their place at once, and fill in.
    const cell = (row: number, column: number) => page.locator(`[data-cell="${row} ${column}"]`);
    await cell(3, 0).waitFor();
    await page.locator('[data-merge=done]').waitFor({ timeout: 90_000 });
    const verdicts = await page
      .locator('.cell')
      .evaluateAll((cells) => cells.map((each) => each.getAttribute('aria-label')));
    expect(verdicts).toEqual([
      'feat/money: clean alone',
      'feat/discounts with feat/money: semantic conflict, 1 error',
      'feat/discounts: clean alone',
      'feat/names with feat/money: clean',
      'feat/names with feat/discounts: clean',
      'feat/names: clean alone',
      'fix/rounding with feat/money: textual conflict in 1 file',
      'fix/rounding with feat/discounts: clean',
      'fix/rounding with feat/names: clean',
      'fix/rounding: clean alone',
    ]);
    const train = page.getByRole('region', { name: 'Longest clean train' });
    expect(await train.textContent()).toContain('3 of 4, in this order.');
    expect(await train.locator('.stop').allTextContents()).toEqual([
      'mainstart',
      'Bfeat/discountsClean',
      'Cfeat/namesClean',
      'Dfix/roundingClean',
    ]);
    expect(await train.textContent()).toContain('semantic conflict with feat/discounts');
    await train.getByRole('button', { name: 'Copy commands' }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain('git merge --no-ff feat/discounts\ngit merge --no-ff feat/names');

    await cell(0, 0).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const detail = page.getByRole('complementary', { name: 'Conflict' });
    await detail.getByText('The text merges. The result does not compile').waitFor();
    expect(await detail.locator('[data-colliding=A]').textContent()).toContain('src/cart.ts');
    expect(await detail.locator('[data-colliding=A]').textContent()).toContain('): string {');
    expect(await detail.locator('[data-colliding=B]').textContent()).toContain('src/discount.ts');
    expect(await detail.textContent()).toContain('src/discount.ts 4:');

    // What the two do together is a change like any other.
    await detail.getByRole('button', { name: 'Open as what-if' }).click();
    const made = page.getByRole('tab', { name: 'Merge of feat/money, feat/discounts' });
    await made.waitFor();
    await page.getByRole('tabpanel').getByText('Breaks 1 file').first().waitFor();
    await page.keyboard.press('Alt+w');
    await made.waitFor({ state: 'detached' });
    await detail.getByRole('button', { name: 'Close' }).click();
    await detail.waitFor({ state: 'detached' });

    // The run is kept by the back end: a reload loses nothing.
    await page.reload();
    await tab.connected();
    await expect.poll(() => page.locator('.cell').count()).toBe(10);
    expect(await gitIn(root, 'status', '--porcelain')).toBe('');
    expect((await gitIn(root, 'log', '--format=%s', 'main')).trim()).toBe('first');
  },
);

browserTest(
  'a working tree counts with what it has not committed, a what-if too, and a run can be cancelled',
  async () => {
    await using shown = await ShownEditor.open({ files: shop, git: 'committed' });
    const { workspace } = shown.world.scratch;
    const { root } = workspace;
    const beside = await realpath(await mkdtemp(join(tmpdir(), 'forerun-worktree-')));
    try {
      await gitIn(root, 'branch', 'other');
      await gitIn(root, 'worktree', 'add', '-q', '-b', 'tree', join(beside, 'tree'));
      await writeFile(join(beside, 'tree', 'README.md'), '# Tree\n');
      await gitIn(root, 'checkout', '-q', 'other');
      await writeFile(join(root, 'README.md'), '# Other\n');
      await gitIn(root, 'commit', '-q', '-a', '-m', 'other');
      await gitIn(root, 'checkout', '-q', 'main');
      const { live, connection } = shown.world.editor.context;
      const overlay = Overlay.on(new Baseline(live.disk.source)).writeText(
        workspace.path('README.md'),
        '# Tried\n',
      );
      await connection.sessions.keep({ live, overlay, author: 'an agent', title: 'Try a title' }, calm);
      const { page } = await shown.page();
      await page.getByText('1 what-if').waitFor();
      await page.getByRole('button', { name: 'Merges' }).click();
      await page.getByRole('checkbox', { name: 'Try a title what-if of an agent' }).check();
      await page.getByRole('checkbox', { name: /^tree working tree/ }).check();
      await page.getByRole('checkbox', { name: /^other/ }).check();
      await page.getByRole('button', { name: 'Check 3 together' }).click();
      await page.locator('[data-merge=done]').waitFor({ timeout: 90_000 });
      await page.getByRole('button', { name: 'tree with Try a title: textual conflict in 1 file' }).waitFor();
      await page.getByRole('button', { name: 'other with tree: textual conflict in 1 file' }).click();
      await page.getByRole('complementary', { name: 'Conflict' }).getByText('README.md').waitFor();
      await page.getByRole('button', { name: 'Check again' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.locator('[data-merge=cancelled]').waitFor();
      expect(await page.locator('.cell[data-verdict=checking]').count()).toBe(0);
    } finally {
      await rm(beside, { recursive: true, force: true });
    }
  },
);
