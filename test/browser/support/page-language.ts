/**
 * What the page promises in every language, with one server for all of it.
 *
 * Invariant: where the server is not installed, the tests are skipped by name. Each test leaves the text as it found it.
 */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { isOnPath } from '../../support/on-path.ts';
import { chromiumProgram } from './chromium-program.ts';
import { browserTest, type EditorTab, ShownEditor } from './shown-editor.ts';

export interface PageLanguage {
  readonly language: string;
  /** The programs that must be installed. */
  readonly programs: readonly string[];
  /** `declares` declares a symbol, `uses` and `closed` use it. */
  readonly files: Readonly<Record<string, string>>;
  readonly declares: string;
  readonly uses: string;
  readonly closed: string;
  /** The symbol, where it is declared and where it is used. */
  readonly symbol: string;
  readonly declaration: string;
  readonly use: string;
  readonly newName: string;
  /** What its hover says. */
  readonly says: string;
  /** Typed into `uses`, it is an error. */
  readonly error: { readonly after: string; readonly type: string; readonly message: RegExp };
  /** Typed into `uses`, it is continued by the symbol. */
  readonly begun: { readonly after: string; readonly type: string };
}

export function testPageLanguage(given: PageLanguage): void {
  const missing = given.programs.filter((program) => !isOnPath(program));
  const title = `${given.language}${missing.length === 0 ? '' : ` (no ${missing.join(', ')})`}`;
  describe.skipIf(missing.length > 0 || chromiumProgram === undefined)(title, () => {
    const { declares, uses, closed, symbol, declaration, use, newName } = given;
    let shown: ShownEditor;
    let tab: EditorTab;

    beforeAll(async () => {
      shown = await ShownEditor.open({ files: given.files });
      tab = await shown.page();
      await tab.open(uses);
    });

    afterAll(() => shown[Symbol.asyncDispose]());

    browserTest('typing an error shows it, and fixing it clears it', async () => {
      const { after, type, message } = given.error;
      await tab.command('Problems: show');
      await tab.caret(uses, { after });
      await tab.page.keyboard.type(type);
      const problem = tab.page.locator('.problem[data-severity=error]', { hasText: message });
      await problem.first().waitFor();
      await expect.poll(() => tab.page.locator('.cm-diagnostic-error').count()).toBeGreaterThan(0);
      for (const _ of type) await tab.page.keyboard.press('Backspace');
      await expect.poll(() => tab.text(uses)).toBe(given.files[uses]);
      await tab.page.locator('.bottom', { hasText: 'No problems in open files.' }).waitFor();
      expect(await tab.page.locator('.cm-diagnostic-error').count()).toBe(0);
    });

    browserTest('a hover says what the symbol is', async () => {
      await tab.hover(uses, use);
      await tab.page.locator('.hover-card', { hasText: given.says }).waitFor();
      await tab.page.keyboard.press('Escape');
    });

    browserTest('a completion is taken into the text', async () => {
      const { after, type } = given.begun;
      await tab.caret(uses, { after });
      await tab.page.keyboard.type(type);
      await tab.page.keyboard.press('Control+Space');
      const option = tab.page.locator('.cm-tooltip-autocomplete li', { hasText: symbol }).first();
      await option.waitFor();
      await option.click();
      const typed = type.replace(/\w*$/, '');
      await expect.poll(() => tab.text(uses)).toContain(`${typed}${symbol}`);
      await tab.undoTo(uses, given.files[uses] ?? '');
    });

    browserTest('a definition is found in the other file', async () => {
      await tab.caret(uses, { before: use });
      await tab.page.keyboard.press('F12');
      await tab.editor(declares).waitFor();
      await expect.poll(() => tab.caretText(declares)).toContain(declaration);
    });

    browserTest('a rename changes open and closed files, and is undone as a whole', async () => {
      await tab.open(declares);
      await tab.caret(declares, { before: declaration });
      await tab.page.keyboard.press('F2');
      const name = tab.page.getByRole('textbox', { name: 'New name' });
      await name.fill(newName);
      await name.press('Enter');
      const list = tab.page.getByRole('list', { name: 'Files that change' });
      await list.waitFor();
      expect((await list.locator('.mono').allTextContents()).sort()).toEqual([declares, uses, closed].sort());
      await tab.page.getByRole('button', { name: 'Rename', exact: true }).click();
      const toast = await tab.toast('Renamed in');
      const buffer = (path: string): string | undefined =>
        shown.world.editor.buffers.all.find((each) => each.path === path)?.text.toString();
      const renamed = (path: string): string => (given.files[path] ?? '').replaceAll(symbol, newName);
      await expect.poll(() => buffer(declares)).toBe(renamed(declares));
      expect(buffer(uses)).toBe(renamed(uses));
      const disk = (): Promise<string> => readFile(shown.world.scratch.at(closed), 'utf8');
      expect(await disk()).toBe(renamed(closed));
      await toast.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(disk).toBe(given.files[closed]);
      await expect.poll(() => buffer(declares)).toBe(given.files[declares]);
      expect(buffer(uses)).toBe(given.files[uses]);
    });
  });
}
