/** What-ifs as agents leave them. */
import { expect } from 'vitest';
import { editText, Overlay } from '../../../src/overlay/overlay.ts';
import { Baseline } from '../../../src/workspace/baseline.ts';
import { calm } from '../../support/world.ts';
import type { EditorTab, ShownEditor } from './shown-editor.ts';

/** What-ifs of agents: one that breaks files, two that do not. */
export async function keepWhatIfs({ world: { editor, scratch } }: ShownEditor): Promise<void> {
  const { live, connection } = editor.context;
  const cart = scratch.workspace.path('src/cart.ts');
  const edits = [
    [
      'Return money from total()',
      'Item[]): number {\n  return items.reduce',
      'Item[]): { cents: number } {\n  return items.reduce',
    ],
    ['Round half to even', 'sum + item.cents, 0)', 'sum + Math.round(item.cents), 0)'],
    [
      'Count only what costs something',
      'return items.length;',
      'return items.filter(({ cents }) => cents > 0).length;',
    ],
  ] as const;
  for (const [title, old, text] of edits) {
    const base = Overlay.on(new Baseline(live.disk.source));
    const overlay = await editText(base, cart, (before) => before.replace(old, text));
    await connection.sessions.keep({ live, overlay, author: 'cli-agent', title }, calm);
  }
}

/** All of them are listed with their verdict. */
export function judgedWhatIfs(tab: EditorTab): Promise<void> {
  const rows = tab.page.locator('.wi');
  const verdicts = () => rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-verdict')).sort());
  return expect.poll(verdicts, { timeout: 60_000 }).toEqual(['break', 'clean', 'clean']);
}
