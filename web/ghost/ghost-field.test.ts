import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { ghostField, pieceOf, showGhost } from './ghost-field.ts';

function withGhost(text: string): EditorState {
  const state = EditorState.create({ doc: 'a = ', selection: { anchor: 4 }, extensions: [ghostField] });
  return state.update({ effects: showGhost.of({ at: 4, text, layer: 'model' }) }).state;
}

function typed(state: EditorState, text: string): EditorState {
  const at = state.selection.main.head;
  return state.update({ changes: { from: at, insert: text }, selection: { anchor: at + text.length } }).state;
}

test('typing along keeps the ghost and shortens it', () => {
  const after = typed(typed(withGhost('total(items)'), 't'), 'ot');
  expect(after.field(ghostField)).toMatchObject({ at: 7, text: 'al(items)' });
});

test('other text, and moving the caret, end it', () => {
  expect(typed(withGhost('total(items)'), 'x').field(ghostField)).toBeUndefined();
  expect(
    withGhost('total')
      .update({ selection: { anchor: 0 } })
      .state.field(ghostField),
  ).toBeUndefined();
});

test('a ghost is taken by word and by line', () => {
  expect(pieceOf('total(items);', 'word')).toBe('total');
  expect(pieceOf('(items);', 'word')).toBe('(');
  expect(pieceOf(' + sum', 'word')).toBe(' +');
  expect(pieceOf('a();\nb();', 'line')).toBe('a();');
});
