/** Ghost text in every editor, and what the status bar says of it. */
import './ghost.css';
import { completionStatus } from '@codemirror/autocomplete';
import { type Extension, Prec } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { computed, effect, signal } from '@preact/signals';
import { type GhostState, ghostLayers } from '../../src/editor/protocol/ghost.ts';
import { neverAborts, type Page } from '../shell/page.ts';
import type { OpenFile, Part } from '../shell/part.ts';
import { ghostAsker } from './ghost-asker.ts';
import { ghostField, showGhost, takeGhost } from './ghost-field.ts';

export function ghostPart(page: Page): Part {
  const state = signal<GhostState | undefined>(undefined);
  page.link.onSnapshot(({ ghost }) => {
    state.value = ghost;
  });
  page.link.on('ghost.state', (event) => {
    state.value = event.state;
  });
  effect(() => {
    for (const layer of ghostLayers) {
      const isWanted = page.settings.isOn(`ghost.${layer}`);
      if (state.value === undefined || state.value[layer] === isWanted) continue;
      const choice = isWanted ? 'on' : 'off';
      page.run(() => page.link.request('ghost.turn', { layer, choice }, neverAborts));
    }
  });
  const words = computed(() => (state.value === undefined ? '' : ghostWords(state.value)));
  const title = computed(() =>
    (state.value?.reasons ?? []).map(({ text, reason }) => `${firstLine(text)}: ${reason}`).join('\n'),
  );
  return {
    editorExtension: (file) => ghostExtension(page, file),
    statusItems: [{ id: 'ghost', side: 'right', order: 50, width: 'wide', body: () => words.value, title }],
    settings: [
      {
        key: 'ghost.server',
        group: 'Ghost text',
        title: 'From the language server',
        sentence: 'The rest of the name that the language server would complete, at once.',
        fallback: true,
        scope: 'user',
      },
      {
        key: 'ghost.model',
        group: 'Ghost text',
        title: 'From the model',
        sentence: 'What may follow, checked by the language server before it is shown.',
        fallback: true,
        scope: 'user',
      },
    ],
  };
}

function ghostExtension(page: Page, file: OpenFile): Extension {
  // Below the popup, which has Tab and Escape first; above indentation.
  const keys = Prec.high(
    keymap.of([
      { key: 'Tab', run: (view) => takeGhost(view, 'all') },
      { key: 'Alt-]', run: (view) => takeGhost(view, 'all') },
      { key: 'Ctrl-ArrowRight', run: (view) => takeGhost(view, 'word') },
      { key: 'End', run: (view) => isAtLineEnd(view) && takeGhost(view, 'line') },
      { key: 'Escape', run: dismiss },
    ]),
  );
  return [ghostField, ghostAsker(page, file), keys];
}

function dismiss(view: EditorView): boolean {
  if (view.state.field(ghostField, false) === undefined || completionStatus(view.state) !== null)
    return false;
  view.dispatch({ effects: showGhost.of(undefined) });
  return true;
}

function isAtLineEnd({ state }: EditorView): boolean {
  const { head } = state.selection.main;
  return state.doc.lineAt(head).to === head;
}

function ghostWords({ server, model, provider, checked, held }: GhostState): string {
  if (!server && !model) return 'Ghost text: off';
  if (model && provider === 'paused') return 'Ghost text: paused, the agent is using the model';
  if (!model || provider === 'none')
    return server ? 'Ghost text: from the language server' : 'Ghost text: off';
  return `Ghost text: ${held} of ${checked} held back`;
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
