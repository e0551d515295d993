/** The committed lines of a place that differs, with the button that brings them back. */
import { counted } from '../../src/text/counted-noun.ts';
import type { ChangedPlace } from './change-hunk.ts';

interface CommittedLinesActions {
  readonly revert: () => void;
  readonly close: () => void;
}

/** More are not drawn: the tab with the difference shows all. */
const drawnLines = 20;

export function committedLines(
  { kind, old }: ChangedPlace,
  { revert, close }: CommittedLinesActions,
): HTMLElement {
  const card = document.createElement('div');
  card.className = 'tt committed-lines';
  card.setAttribute('role', 'group');
  card.setAttribute('aria-label', 'Lines of the last commit');
  const lines = old === '' ? [] : old.replace(/\n$/, '').split('\n');
  const head = document.createElement('div');
  head.className = 'committed-lines-head';
  const title = document.createElement('span');
  title.className = 'grow';
  title.textContent =
    kind === 'added' ? 'Not in the last commit' : `Last commit: ${counted(lines.length, 'line')}`;
  head.append(title, button('Revert', revert), button('Close', close));
  card.append(head);
  if (lines.length > 0) card.append(textOf(lines));
  card.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    close();
  });
  return card;
}

function textOf(lines: readonly string[]): HTMLElement {
  const text = document.createElement('pre');
  text.tabIndex = 0;
  text.setAttribute('aria-label', 'Text of the last commit');
  const rest = lines.length - drawnLines;
  text.textContent = [
    ...lines.slice(0, drawnLines),
    ...(rest > 0 ? [`… ${counted(rest, 'line')} more`] : []),
  ].join('\n');
  return text;
}

function button(title: string, run: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'b s';
  made.textContent = title;
  made.addEventListener('click', run);
  return made;
}
