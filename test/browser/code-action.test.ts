/** A code action that brings an edit and a command, by a server that says what the test wrote down. */
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { browserTest, ShownEditor } from './support/shown-editor.ts';

const files = { 'a.scripted': 'one ERROR(bad)\n', 'b.scripted': 'other\n' };
const start = { line: 0, character: 0 };

browserTest('the edit of a code action and that of its command are taken back by one undo', async () => {
  await using shown = await ShownEditor.open({
    files,
    definitions: (uri) => [
      scriptedDefinition({
        capabilities: { codeActionProvider: true, executeCommandProvider: { commands: ['finish'] } },
        results: {
          'textDocument/codeAction': [
            {
              title: 'Mend it',
              kind: 'quickfix',
              edit: {
                changes: { [uri('a.scripted')]: [{ range: { start, end: start }, newText: 'edited ' }] },
              },
              command: { title: 'finish', command: 'finish', arguments: [] },
            },
          ],
        },
        // The server sees the edit before it runs the command, and writes behind it.
        editsOnCommand: {
          changes: {
            [uri('a.scripted')]: [
              {
                range: { start: { line: 0, character: 7 }, end: { line: 0, character: 7 } },
                newText: 'commanded ',
              },
            ],
            [uri('b.scripted')]: [{ range: { start, end: start }, newText: 'commanded ' }],
          },
        },
      }),
    ],
  });
  const tab = await shown.page();
  const disk = (): Promise<string> => readFile(shown.world.scratch.at('b.scripted'), 'utf8');
  await tab.open('a.scripted');
  await tab.page.locator('.cm-diagnostic-error').first().waitFor();
  await tab.caret('a.scripted', { before: 'one' });
  await tab.page.keyboard.press('Control+.');
  await tab.page.getByRole('menuitem', { name: 'Mend it' }).click();
  await expect.poll(() => tab.text('a.scripted')).toBe('edited commanded one ERROR(bad)\n');
  await expect.poll(disk).toBe('commanded other\n');
  await tab.command('Undo the last edit of several files');
  await expect.poll(() => tab.text('a.scripted')).toBe(files['a.scripted']);
  await expect.poll(disk).toBe(files['b.scripted']);
});
