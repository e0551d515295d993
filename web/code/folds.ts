/** Folds of the language server, where it offers any; the grammar's own folds otherwise. */
import { foldService } from '@codemirror/language';
import { type Extension, StateEffect, StateField } from '@codemirror/state';
import type { BufferDocument } from '../buffer/buffer-document.ts';
import type { Page } from '../shell/page.ts';
import { askQuietly } from './code-client.ts';
import { idleFollower } from './idle-follower.ts';

/** The last line of a fold by its first line, both from one. */
type Folds = ReadonlyMap<number, number>;

const showFolds = StateEffect.define<Folds>();

const foldField = StateField.define<Folds>({
  create: () => new Map(),
  update(folds, transaction) {
    for (const each of transaction.effects) if (each.is(showFolds)) return each.value;
    // Lines have moved: the grammar answers until the server has.
    return transaction.docChanged && folds.size > 0 ? new Map() : folds;
  },
});

export function serverFolds(page: Page, document: BufferDocument): Extension {
  return [
    foldField,
    foldService.of((state, from) => {
      const line = state.doc.lineAt(from);
      const last = state.field(foldField).get(line.number);
      if (last === undefined || last > state.doc.lines) return null;
      return { from: line.to, to: state.doc.line(last).to };
    }),
    idleFollower({
      idleMs: 800,
      ask: async (view, signal) => {
        const answer = await askQuietly(page, document, 'code.folds', {}, signal);
        if (answer === undefined || answer.folds.length === 0) return;
        const folds = answer.folds.filter(({ startLine, endLine }) => endLine > startLine);
        view.dispatch({
          effects: showFolds.of(new Map(folds.map(({ startLine, endLine }) => [startLine + 1, endLine + 1]))),
        });
      },
    }),
  ];
}
