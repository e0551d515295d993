/** The parameters of the call around the caret, while its arguments are typed. */
import { type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import { EditorView, keymap, showTooltip, type Tooltip, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { render, type VNode } from 'preact';
import type { ResultOf } from '../../src/editor/protocol.ts';
import type { BufferDocument } from '../buffer/buffer-document.ts';
import type { Page } from '../shell/page.ts';
import { Markdown } from '../ui/markdown.tsx';
import { askQuietly, positionAt } from './code-client.ts';

type Signatures = ResultOf<'code.signature'>;

const showSignature = StateEffect.define<Tooltip | null>();

const signatureField = StateField.define<Tooltip | null>({
  create: () => null,
  update(shown, transaction) {
    for (const each of transaction.effects) if (each.is(showSignature)) return each.value;
    return shown;
  },
  provide: (field) => showTooltip.from(field),
});

export function signature(page: Page, document: BufferDocument): Extension {
  const plugin = ViewPlugin.define((view) => new SignatureFollower(page, document, view));
  return [
    signatureField,
    plugin,
    EditorView.updateListener.of((update) => update.view.plugin(plugin)?.follow(update)),
    Prec.high(
      keymap.of([
        {
          key: 'Escape',
          run: (view) => {
            if (view.state.field(signatureField) === null) return false;
            view.dispatch({ effects: showSignature.of(null) });
            return true;
          },
        },
      ]),
    ),
  ];
}

class SignatureFollower {
  readonly #page: Page;
  readonly #document: BufferDocument;
  readonly #view: EditorView;
  #abort = new AbortController();

  constructor(page: Page, document: BufferDocument, view: EditorView) {
    this.#page = page;
    this.#document = document;
    this.#view = view;
  }

  /** Asks after `(` and `,`, and while a signature is shown after every move. */
  follow(update: ViewUpdate): void {
    if (!update.docChanged && !update.selectionSet) return;
    const { head } = update.state.selection.main;
    const typed = update.state.sliceDoc(Math.max(0, head - 1), head);
    const isTyped = update.transactions.some((transaction) => transaction.isUserEvent('input'));
    const isShown = update.state.field(signatureField) !== null;
    if (isShown || (isTyped && (typed === '(' || typed === ','))) this.ask();
  }

  ask(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const { head } = this.#view.state.selection.main;
    const params = { position: positionAt(this.#view.state, head) };
    // The change that led here is still being applied.
    queueMicrotask(() => {
      askQuietly(this.#page, this.#document, 'code.signature', params, signal).then(
        (answer) => {
          if (!signal.aborted) this.#view.dispatch({ effects: showSignature.of(tooltipOf(answer, head)) });
        },
        () => undefined,
      );
    });
  }

  destroy(): void {
    this.#abort.abort();
  }
}

function tooltipOf(answer: Signatures | undefined, pos: number): Tooltip | null {
  const shown = answer?.signatures[answer.active] ?? answer?.signatures[0];
  if (answer === undefined || shown === undefined) return null;
  return {
    pos,
    above: true,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'tt signature';
      render(<Signature shown={shown} count={answer.signatures.length} at={answer.active} />, dom);
      return { dom, destroy: () => render(null, dom) };
    },
  };
}

interface SignatureProps {
  readonly shown: Signatures['signatures'][number];
  readonly count: number;
  readonly at: number;
}

function Signature({ shown, count, at }: SignatureProps): VNode {
  const active = shown.parameters[shown.activeParameter ?? -1];
  const { label } = shown;
  return (
    <>
      <div class="mono signature-label">
        {count > 1 && <span class="faint">{`${at + 1}/${count} `}</span>}
        {active === undefined ? (
          label
        ) : (
          <>
            {label.slice(0, active.from)}
            <b>{label.slice(active.from, active.to)}</b>
            {label.slice(active.to)}
          </>
        )}
      </div>
      {active !== undefined && active.documentation !== '' && <Markdown text={active.documentation} />}
      {shown.documentation !== '' && <Markdown text={shown.documentation} />}
    </>
  );
}
