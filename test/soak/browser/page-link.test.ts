/** A page whose link breaks again and again: what is typed meanwhile is lost nowhere. */
import { expect } from 'vitest';
import { browserTest, ShownEditor } from '../../browser/support/shown-editor.ts';
import { rounds } from '../../support/soak.ts';

const cuts = rounds({ everyRun: 10, soak: 50 });

browserTest(`a page that is cut off ${cuts} times shows the same text as the back end`, async () => {
  await using shown = await ShownEditor.open({ files: { 'a.md': '# A\n' } });
  const tab = await shown.page();
  await tab.open('a.md');
  for (let round = 0; round < cuts; round++) {
    await tab.cutLink();
    await tab.caret('a.md', { before: '# A' });
    await tab.page.keyboard.type(`${round} `);
    await tab.tryNow();
    await tab.connected();
  }
  const wanted = `${Array.from({ length: cuts }, (_, round) => `${round} `).join('')}# A\n`;
  expect(await tab.text('a.md')).toBe(wanted);
  await expect.poll(() => String(shown.world.editor.buffers.all[0]?.text)).toBe(wanted);
});
