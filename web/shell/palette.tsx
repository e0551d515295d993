/**
 * Commands, files, symbols and lines in one field: `>` commands, `#` symbols, `:` a line, anything else files.
 *
 * Invariant: the list always belongs to the text in the field; an answer for an earlier text is dropped.
 */
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { failureOf } from '../link/page-link.ts';
import { Keys } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Verdict } from '../ui/verdict.tsx';
import { marked } from './fuzzy-match.ts';
import type { Page } from './page.ts';
import type { PaletteItem } from './palette-item.ts';
import { paletteItems } from './palette-items.ts';

export function Palette({ page }: { readonly page: Page }): VNode | null {
  const text = page.palette.value;
  return text === undefined ? null : <OpenPalette page={page} first={text} />;
}

const mostRows = 12;

function OpenPalette({ page, first }: { readonly page: Page; readonly first: string }): VNode {
  const [text, setText] = useState(first);
  const { items, note, at, setAt, madeFor } = usePaletteItems(page, text);
  const field = useRef<HTMLInputElement>(null);
  const before = useRef(document.activeElement);
  const isChosen = useRef(false);
  // Before the next key: what is typed right after F1 belongs to the field.
  useLayoutEffect(() => {
    field.current?.focus();
  }, []);
  const close = (): void => {
    page.palette.value = undefined;
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  const choose = (item: PaletteItem | undefined): void => {
    if (item === undefined) return;
    close();
    item.run();
  };
  useEffect(() => {
    if (isChosen.current && madeFor === text) choose(items[0]);
  }, [madeFor]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: mostRows, PageUp: -mostRows }[event.key];
    if (step !== undefined && items.length > 0) {
      event.preventDefault();
      setAt(
        Math.abs(step) === 1 ? (at + step + items.length) % items.length : clamp(at + step, items.length),
      );
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // A quick Enter means what was typed, not what was listed before.
      if (madeFor === text) choose(items[at]);
      else isChosen.current = true;
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      close();
    }
  };
  const isCommand = text.startsWith('>');
  const label = isCommand ? 'Commands' : 'Go to';
  return (
    <div class="scrim clear" onPointerDown={(event) => event.target === event.currentTarget && close()}>
      <div class="pal palette" role="dialog" aria-modal="true" aria-label={label}>
        <div class="in">
          <Icon name={isCommand ? 'chevronRight' : 'search'} />
          <input
            ref={field}
            class="grow"
            role="combobox"
            aria-label={label}
            aria-expanded="true"
            aria-controls="palette-list"
            aria-activedescendant={items.length > 0 ? `palette-${at}` : undefined}
            value={text}
            spellcheck={false}
            autocomplete="off"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </div>
        <ul id="palette-list" role="listbox" aria-label={label} data-for={madeFor}>
          {items.map((item, index) => (
            <PaletteRow
              key={item.id}
              item={item}
              index={index}
              isOn={index === at}
              onChoose={() => choose(item)}
            />
          ))}
        </ul>
        {note !== '' && <p class="palette-note muted">{note}</p>}
        <PaletteFoot isCommand={isCommand} />
      </div>
    </div>
  );
}

/** The list for a text; what comes for an earlier text is dropped. */
function usePaletteItems(
  page: Page,
  text: string,
): {
  readonly at: number;
  readonly setAt: (at: number) => void;
} & ShownItems {
  const [list, setList] = useState(noItems);
  const [at, setAt] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    paletteItems(page, text, abort.signal).then(
      ({ items, empty }) => {
        if (abort.signal.aborted) return;
        setList({ items: items.slice(0, mostItems), note: items.length === 0 ? empty : '', madeFor: text });
        setAt(0);
      },
      (thrown: unknown) => {
        const failure = failureOf(thrown);
        if (failure !== undefined && !abort.signal.aborted)
          setList({ items: [], note: failure.message, madeFor: text });
      },
    );
    return () => abort.abort();
  }, [text]);
  return { ...list, at, setAt };
}

interface ShownItems {
  readonly items: readonly PaletteItem[];
  readonly note: string;
  /** The text that these items are for. */
  readonly madeFor: string | undefined;
}

const noItems: ShownItems = { items: [], note: '', madeFor: undefined };
const mostItems = 100;

function clamp(index: number, length: number): number {
  return Math.min(Math.max(index, 0), length - 1);
}

interface PaletteRowProps {
  readonly item: PaletteItem;
  readonly index: number;
  readonly isOn: boolean;
  readonly onChoose: () => void;
}

function PaletteRow({ item, index, isOn, onChoose }: PaletteRowProps): VNode {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOn) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isOn]);
  return (
    <li
      ref={row}
      id={`palette-${index}`}
      class={isOn ? 'on' : ''}
      role="option"
      aria-selected={isOn}
      onClick={onChoose}
      onPointerDown={(event) => event.preventDefault()}
    >
      <Icon name={item.icon} />
      <span class="grow cut">
        {marked(item.title, item.hits).map(({ text, isHit }, part) =>
          isHit ? <b key={part}>{text}</b> : <span key={part}>{text}</span>,
        )}
        {item.detail !== '' && <span class="faint sm"> {item.detail}</span>}
      </span>
      {item.mark !== undefined && (
        <Verdict kind={item.mark.kind} size="small">
          {item.mark.word}
        </Verdict>
      )}
      <Keys keys={item.keys} />
    </li>
  );
}

function PaletteFoot({ isCommand }: { readonly isCommand: boolean }): VNode {
  return isCommand ? (
    <div class="ft">
      <span>
        <kbd class="k">↑</kbd> <kbd class="k">↓</kbd> choose
      </span>
      <span>
        <kbd class="k">Enter</kbd> run
      </span>
      <span>
        <kbd class="k">Esc</kbd> close
      </span>
    </div>
  ) : (
    <div class="ft">
      <span>
        <kbd class="k">#</kbd> symbol
      </span>
      <span>
        <kbd class="k">:</kbd> line
      </span>
      <span>
        <kbd class="k">&gt;</kbd> command
      </span>
    </div>
  );
}
