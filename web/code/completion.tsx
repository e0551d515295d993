/**
 * Completion by the language server, with what it imports.
 *
 * Invariant: what is inserted belongs to the text it was asked for; the further edits of an item (an import) are made in the
 * same undo step.
 */
import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  completionKeymap,
  completionStatus,
  pickedCompletion,
} from '@codemirror/autocomplete';
import { type Extension, Prec } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { render } from 'preact';
import type { ResultOf } from '../../src/editor/protocol.ts';
import type { BufferDocument } from '../buffer/buffer-document.ts';
import type { Page } from '../shell/page.ts';
import { Markdown } from '../ui/markdown.tsx';
import { askQuietly, offsetsOf, positionAt } from './code-client.ts';
import { completionKind } from './kind-name.ts';

type Answer = ResultOf<'code.complete'>;
type Item = Answer['items'][number];
type Resolved = ResultOf<'code.resolveCompletion'>;

export function completion(page: Page, document: BufferDocument): Extension {
  const source = (context: CompletionContext): Promise<CompletionResult | null> =>
    complete(page, document, context);
  return [
    autocompletion({
      override: [source],
      defaultKeymap: false,
      maxRenderedOptions: 60,
      icons: false,
      activateOnTypingDelay: 60,
    }),
    // The popup has Tab before ghost text and indentation.
    Prec.highest(
      keymap.of([
        ...completionKeymap.filter(({ key }) => key !== undefined),
        { key: 'Tab', run: takeCompletion },
      ]),
    ),
  ];
}

/** CodeMirror does not accept within moments of the popup's opening; a Tab in that time must not indent instead. */
function takeCompletion(view: EditorView): boolean {
  return acceptCompletion(view) || completionStatus(view.state) === 'active';
}

async function complete(
  page: Page,
  document: BufferDocument,
  context: CompletionContext,
): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\p{L}\p{N}_$]+$/u);
  const typed = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
  const isTrigger = /[.:>'"/@<#]/.test(typed);
  if (!context.explicit && word === null && !isTrigger) return null;
  const abort = new AbortController();
  // An answer for a text that was typed on from is dropped: the question is asked anew for the new text.
  context.addEventListener('abort', () => abort.abort(), { onDocChange: true });
  const params = {
    position: positionAt(context.state, context.pos),
    ...(!context.explicit && isTrigger && { typed }),
  };
  const answer = await askQuietly(page, document, 'code.complete', params, abort.signal);
  if (answer === undefined || answer.items.length === 0) return null;
  const from = word?.from ?? context.pos;
  return {
    from,
    options: answer.items.map((item, index) => optionOf({ page, document, answer, context }, item, index)),
    ...(!answer.isIncomplete && { validFor: /^[\p{L}\p{N}_$]*$/u }),
  };
}

interface OptionContext {
  readonly page: Page;
  readonly document: BufferDocument;
  readonly answer: Answer;
  readonly context: CompletionContext;
}

function optionOf(given: OptionContext, item: Item, index: number): Completion {
  const resolved = resolver(given, index);
  return {
    label: item.filterText,
    displayLabel: item.label,
    detail: item.labelDetail ?? item.detail ?? '',
    ...(item.kind !== undefined && { type: completionKind(item.kind) }),
    // The order of the server; an item that it prefers comes first.
    boost: (item.isPreselected ? 50 : 0) - Math.min(index, 400) / 10,
    info: async () => infoOf(await resolved()),
    apply: (view, option, from, to) => apply({ given, item, resolved }, { view, option, from, to }),
  };
}

/** Asked once per item, when it is looked at or taken. */
function resolver({ page, answer }: OptionContext, index: number): () => Promise<Resolved | undefined> {
  let asked: Promise<Resolved | undefined> | undefined;
  return () => {
    asked ??= page.link
      .request('code.resolveCompletion', { list: answer.list, index }, AbortSignal.timeout(5_000))
      // Without the rest of it the item can still be taken.
      .catch(() => undefined);
    return asked;
  };
}

function infoOf(resolved: Resolved | undefined): { readonly dom: Node; readonly destroy: () => void } | null {
  const text = [
    resolved?.detail === undefined ? '' : `\`\`\`\n${resolved.detail}\n\`\`\``,
    resolved?.documentation ?? '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
  if (text === '') return null;
  const dom = document.createElement('div');
  render(<Markdown text={text} />, dom);
  return { dom, destroy: () => render(null, dom) };
}

interface Applied {
  readonly given: OptionContext;
  readonly item: Item;
  readonly resolved: () => Promise<Resolved | undefined>;
}

interface Where {
  readonly view: EditorView;
  readonly option: Completion;
  readonly from: number;
  readonly to: number;
}

/** Waits a moment for the further edits, so that all of it is one undo step; typing on does without them. */
function apply({ given, item, resolved }: Applied, { view, option, from, to }: Where): void {
  const before = view.state.doc;
  const insert = (found: Resolved | undefined): void => {
    if (view.state.doc !== before) return;
    const { state } = given.context;
    const asked = item.range === undefined ? { from, to } : offsetsOf(state, item.range);
    const start = Math.min(asked.from, from);
    const edits = (found?.edits ?? []).map(({ range, newText }) => ({
      ...offsetsOf(state, range),
      insert: newText,
    }));
    // What lies before the word is as it was when the list was asked for.
    const further = edits.every((edit) => edit.to <= start) ? edits : [];
    const grown = further.reduce((sum, edit) => sum + edit.insert.length - (edit.to - edit.from), 0);
    view.dispatch({
      changes: [...further, { from: start, to, insert: item.insertText }],
      selection: { anchor: start + grown + item.insertText.length },
      annotations: pickedCompletion.of(option),
      userEvent: 'input.complete',
      scrollIntoView: true,
    });
  };
  closeCompletion(view);
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), longestWaitMs));
  Promise.race([resolved(), late]).then(insert, () => insert(undefined));
}

const longestWaitMs = 800;
