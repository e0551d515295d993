/** Colours and sizes of code: only names of the custom properties, so that a theme is chosen in one place. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export const codeTheme: Extension = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--bg-editor)', color: 'var(--syn-plain)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-code)',
    fontSize: 'var(--code-size)',
    lineHeight: 'var(--code-lh)',
    fontFeatureSettings: '"liga" 0, "calt" 0',
  },
  '.cm-content': { padding: 'var(--s-2) 0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 6px' },
  '.cm-cursor, .cm-dropCursor': { borderLeft: '2px solid var(--accent)' },
  '.cm-gutters': { backgroundColor: 'var(--bg-editor)', color: 'var(--text-faint)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': {
    fontSize: 'var(--text-sm)',
    minWidth: '24px',
    padding: '0 4px 0 0',
  },
  '.cm-activeLine': { backgroundColor: 'var(--bg-line)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--bg-line)', color: 'var(--text)' },
  '.cm-verdictGutter .cm-gutterElement': { width: '20px', display: 'grid', placeItems: 'center' },
  '.cm-changeGutter .cm-gutterElement': { width: '3px', padding: '0', marginLeft: '2px' },
  '.cm-foldGutter .cm-gutterElement': { width: '14px', color: 'var(--text-faint)', cursor: 'pointer' },
  '.cm-foldMark:not(.closed)': { opacity: '0' },
  '.cm-gutters:hover .cm-foldMark': { opacity: '1' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--bg-hover)',
    border: '1px solid var(--border)',
    color: 'var(--text-muted)',
    borderRadius: 'var(--radius-sm)',
    padding: '0 4px',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--bg-selected)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--bg-hover)', borderRadius: '2px' },
  '.cm-searchMatch': { backgroundColor: 'var(--caution-bg)', outline: '1px solid var(--caution-line)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--caution-line)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--bg-hover)',
    outline: '1px solid var(--border-control)',
  },
  '.cm-nonmatchingBracket': { color: 'var(--break)' },
  '.cm-specialChar': { color: 'var(--break)' },
});

const style = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.self, tags.null],
    color: 'var(--syn-keyword)',
  },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.character], color: 'var(--syn-string)' },
  {
    tag: [tags.typeName, tags.className, tags.namespace, tags.tagName, tags.definition(tags.typeName)],
    color: 'var(--syn-type)',
  },
  {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.definition(tags.function(tags.variableName)),
      tags.macroName,
    ],
    color: 'var(--syn-function)',
  },
  {
    tag: [tags.number, tags.bool, tags.atom, tags.unit, tags.constant(tags.variableName)],
    color: 'var(--syn-number)',
  },
  { tag: [tags.comment, tags.docComment, tags.meta], color: 'var(--syn-comment)', fontStyle: 'italic' },
  { tag: tags.heading, color: 'var(--syn-function)', fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--accent)', textDecoration: 'underline' },
  { tag: tags.inserted, color: 'var(--clean)' },
  { tag: [tags.deleted, tags.invalid], color: 'var(--break)' },
  { tag: tags.attributeName, color: 'var(--syn-number)' },
]);

export const codeColours: Extension = syntaxHighlighting(style);
