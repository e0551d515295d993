/**
 * Colours by meaning, from the language server. They follow the text while somebody types and are replaced when the server has
 * answered for the new text.
 */
import {
  type EditorState,
  type Extension,
  RangeSetBuilder,
  StateEffect,
  StateField,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { ResultOf } from '../../src/editor/protocol.ts';
import type { BufferDocument } from '../buffer/buffer-document.ts';
import type { Page } from '../shell/page.ts';
import { askQuietly } from './code-client.ts';
import { idleFollower } from './idle-follower.ts';

type Tokens = ResultOf<'code.tokens'>;

const showTokens = StateEffect.define<DecorationSet>();

const tokenField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const each of transaction.effects) if (each.is(showTokens)) return each.value;
    return transaction.docChanged ? marks.map(transaction.changes) : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Beyond this the colours of the grammar are enough. */
const longestText = 400_000;

export function semanticTokens(page: Page, document: BufferDocument): Extension {
  return [
    tokenField,
    idleFollower({
      idleMs: 400,
      ask: async (view, signal) => {
        if (view.state.doc.length > longestText) return;
        const answer = await askQuietly(page, document, 'code.tokens', {}, signal);
        if (answer !== undefined) view.dispatch({ effects: showTokens.of(marksOf(view.state, answer)) });
      },
    }),
  ];
}

const classes: Readonly<Record<string, string>> = {
  namespace: 'ty',
  type: 'ty',
  class: 'ty',
  enum: 'ty',
  interface: 'ty',
  struct: 'ty',
  typeParameter: 'ty',
  builtinType: 'ty',
  function: 'fn',
  method: 'fn',
  macro: 'fn',
  decorator: 'fn',
  keyword: 'kw',
  selfKeyword: 'kw',
  string: 'st',
  number: 'nu',
  enumMember: 'nu',
  comment: 'co',
};

const marks = new Map(
  [...new Set(Object.values(classes)), 'cm-plain'].map((name) => [
    name,
    Decoration.mark({ class: `cm-token ${name}` }),
  ]),
);

/** Five numbers for each token, in the order of the text. */
function marksOf(state: EditorState, { data, types }: Tokens): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let last = 0;
  for (let index = 0; index + 4 < data.length; index += 5) {
    const [line = 0, character = 0, length = 0, type = 0] = data.slice(index, index + 4);
    const mark = marks.get(classes[types[type] ?? ''] ?? 'cm-plain');
    if (mark === undefined || line >= state.doc.lines) continue;
    const from = state.doc.line(line + 1).from + character;
    const to = from + length;
    if (from < last || to > state.doc.length || length === 0) continue;
    builder.add(from, to, mark);
    last = to;
  }
  return builder.finish();
}
