/** What every text editor of the page consists of, before parts add theirs. */
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentWithTab,
  toggleTabFocusMode,
} from '@codemirror/commands';
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
} from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  rectangularSelection,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import type { Page } from '../shell/page.ts';
import type { OpenFile } from '../shell/part.ts';
import { nameOf } from '../shell/place.ts';
import { iconElement } from '../ui/icon.tsx';
import type { BufferDocument } from './buffer-document.ts';
import { codeColours, codeTheme } from './code-theme.ts';
import { textGutters } from './gutter.ts';
import { indentationOf } from './indentation.ts';
import { loadLanguage } from './language.ts';
import { longLine } from './long-line.ts';

export function editorExtensions(page: Page, buffer: BufferDocument, file: OpenFile): Extension {
  const state = page.buffers.states.peek().get(file.path);
  const indent = indentationOf(buffer.state.doc);
  const hasLongLine = longLine(buffer.state.doc) !== undefined;
  return [
    textGutters(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    history(),
    codeFolding(),
    foldGutter({ markerDOM: foldMark }),
    drawSelection(),
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    rectangularSelection(),
    crosshairCursor(),
    highlightSelectionMatches(),
    search({ top: true }),
    EditorState.phrases.of(findPhrases),
    hasLongLine ? EditorView.lineWrapping : [indentOnInput(), bracketMatching(), closeBrackets()],
    codeTheme,
    codeColours,
    EditorState.tabSize.of(indent.size),
    indentUnit.of(indent.unit),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap.filter(({ key }) => key !== undefined && !taken.has(key)),
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      { key: 'Ctrl-m', run: toggleTabFocusMode },
      indentWithTab,
    ]),
    EditorView.contentAttributes.of({ 'aria-label': nameOf(file.path), spellcheck: 'false', tabindex: '0' }),
    state?.readOnly === undefined ? [] : [EditorState.readOnly.of(true)],
    hasLongLine ? [] : languageExtension(file.path),
    EditorView.updateListener.of((update) => followCaret(page, file, indent.words, update)),
  ];
}

/** The words of the panel that finds in a file. */
const findPhrases: Readonly<Record<string, string>> = {
  next: 'Next',
  previous: 'Previous',
  all: 'All',
  'match case': 'Match case',
  regexp: 'Expression',
  'by word': 'Whole word',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close',
};

function foldMark(isOpen: boolean): HTMLElement {
  const mark = document.createElement('span');
  mark.className = isOpen ? 'cm-foldMark' : 'cm-foldMark closed';
  mark.title = isOpen ? 'Fold' : 'Unfold';
  mark.append(iconElement(isOpen ? 'chevronDown' : 'chevronRight'));
  return mark;
}

/** Keys of CodeMirror that the page has other uses for, or that browsers keep. */
const taken = new Set(['Ctrl-k', 'Mod-i', 'Alt-ArrowLeft', 'Alt-ArrowRight', 'Shift-Mod-k']);

/** The language arrives later, in a chunk of its own. */
function languageExtension(path: string): Extension {
  const slot = new Compartment();
  const loader = ViewPlugin.define((view) => {
    let isGone = false;
    loadLanguage(path).then(
      (language) => {
        if (!isGone && language !== undefined) view.dispatch({ effects: slot.reconfigure(language) });
      },
      // Without its colours a file can still be edited; the chunk is fetched again with the next file of the language.
      () => undefined,
    );
    return {
      destroy: () => {
        isGone = true;
      },
    };
  });
  return [slot.of([]), loader];
}

function followCaret(page: Page, file: OpenFile, indentWords: string, update: ViewUpdate): void {
  const { view } = update;
  if (update.docChanged) page.tabs.keep(file.path);
  if (update.focusChanged && view.hasFocus) page.editors.focused(view);
  if (!update.selectionSet && !update.focusChanged && !update.docChanged) return;
  if (!view.hasFocus && page.editors.active.peek()?.view !== view) return;
  const { main } = view.state.selection;
  const line = view.state.doc.lineAt(main.head);
  page.editors.caret.value = {
    line: line.number - 1,
    character: main.head - line.from,
    selected: main.to - main.from,
  };
  page.editors.indent.value = indentWords;
}
