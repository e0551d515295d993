/** Going where a symbol is defined, implemented or used. */
import { type Extension, Prec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { ResultOf } from '../../src/editor/protocol.ts';
import type { BufferDocument } from '../buffer/buffer-document.ts';
import type { Page } from '../shell/page.ts';
import { askAbout, positionAt, type WirePosition } from './code-client.ts';
import type { FoundStore } from './found-store.ts';

type LocateKind = 'definition' | 'typeDefinition' | 'implementation' | 'declaration';
type Location = ResultOf<'code.locate'>['locations'][number];

const words: Readonly<Record<LocateKind, string>> = {
  definition: 'definition',
  typeDefinition: 'type definition',
  implementation: 'implementation',
  declaration: 'declaration',
};

/** The document and caret of the editor in use. */
export function caretOf(
  page: Page,
):
  | { readonly document: BufferDocument; readonly view: EditorView; readonly position: WirePosition }
  | undefined {
  const active = page.editors.active.peek();
  const document = active === undefined ? undefined : page.buffers.document(active.path);
  if (active === undefined || document === undefined) return undefined;
  const { head } = active.view.state.selection.main;
  return { document, view: active.view, position: positionAt(active.view.state, head) };
}

export function goTo(page: Page, found: FoundStore, kind: LocateKind): void {
  const caret = caretOf(page);
  if (caret !== undefined) page.run(() => locate({ page, found }, caret.document, caret.position, kind));
}

async function locate(
  { page, found }: { readonly page: Page; readonly found: FoundStore },
  document: BufferDocument,
  position: WirePosition,
  kind: LocateKind,
): Promise<void> {
  const answer = await askAbout(
    page,
    document,
    'code.locate',
    { position, kind },
    AbortSignal.timeout(20_000),
  );
  if (answer === undefined) return;
  const [first, ...others] = answer.locations;
  if (first === undefined) page.toasts.show({ title: `No ${words[kind]} found.` });
  else if (others.length === 0) openLocation(page, first);
  else
    found.show({
      title: `${answer.locations.length} ${words[kind]}s`,
      locations: answer.locations,
      note: '',
    });
}

export function openLocation(page: Page, { path, uri, range }: Location, isPreview = false): void {
  // A file outside the workspace is named by its address; the back end shows it read only.
  const name = path ?? uri;
  page.openFile(name, { at: { path: name, ...range.start, end: range.end }, isPreview });
}

export function findReferences(page: Page, found: FoundStore): void {
  const caret = caretOf(page);
  if (caret === undefined) return;
  page.run(async () => {
    const { document, position, view } = caret;
    found.begin('References');
    page.layout.showBottom('search');
    const answer = await askAbout(
      page,
      document,
      'code.references',
      { position },
      AbortSignal.timeout(60_000),
    );
    if (answer === undefined) return found.clear();
    const word = view.state.wordAt(view.state.selection.main.head);
    const name = word === null ? 'this symbol' : view.state.sliceDoc(word.from, word.to);
    const count = answer.locations.length;
    const { isComplete, why } = answer.coverage;
    found.show({
      title: `${count} ${count === 1 ? 'reference' : 'references'} to ${name}`,
      locations: answer.locations,
      note: isComplete ? '' : `There may be more: ${why ?? 'not every file was looked at.'}`,
    });
  });
}

/** Ctrl and a click go to the definition. */
export function clickToDefinition(page: Page, found: FoundStore, document: BufferDocument): Extension {
  return Prec.high(
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
        const offset = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (offset === null) return false;
        event.preventDefault();
        page.run(() => locate({ page, found }, document, positionAt(view.state, offset), 'definition'));
        return true;
      },
    }),
  );
}
