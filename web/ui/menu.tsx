/** A button that opens a list of actions: arrow keys walk, Enter runs, Escape closes and gives the focus back. */
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

export interface MenuItem {
  readonly title: string;
  readonly run: () => void;
  /** A second line that says what it means. */
  readonly sentence?: string;
  readonly isChecked?: boolean;
}

export interface MenuProps {
  readonly label: string;
  readonly icon: IconName;
  readonly items: readonly MenuItem[];
}

export function Menu({ label, icon, items }: MenuProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <span class="menu-anchor">
      <button
        ref={button}
        type="button"
        class="ib s"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={icon} />
      </button>
      {isOpen && <MenuList label={label} items={items} onClose={close} />}
    </span>
  );
}

interface MenuListProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly onClose: () => void;
}

/** The open list; also for menus that another control opens. */
export function MenuList({ label, items, onClose }: MenuListProps): VNode {
  const list = useRef<HTMLUListElement>(null);
  const onCloseRef = useRef(onClose);
  onCloseRef.current = onClose;
  // Not after the next paint: a key right after the click belongs to the menu, and a click right after it does not.
  useLayoutEffect(() => {
    list.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus();
    const outside = (event: PointerEvent): void => {
      const { parentElement } = list.current ?? {};
      if (event.target instanceof Node && parentElement?.contains(event.target) !== true)
        onCloseRef.current();
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      event.stopPropagation();
      onClose();
      return;
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const all = [...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
    const { activeElement } = document;
    const at = activeElement instanceof HTMLElement ? all.indexOf(activeElement) : -1;
    all[(at + step + all.length) % all.length]?.focus();
  };
  return (
    <ul class="tt menu" role="menu" aria-label={label} ref={list} onKeyDown={onKeyDown}>
      {items.map((item) => (
        <li key={item.title} role="none">
          <button
            type="button"
            role={item.isChecked === undefined ? 'menuitem' : 'menuitemradio'}
            aria-checked={item.isChecked}
            onClick={() => {
              onClose();
              item.run();
            }}
          >
            <span class="stack">
              <span>{item.title}</span>
              {item.sentence !== undefined && <span class="sm muted">{item.sentence}</span>}
            </span>
            {item.isChecked === true && <Icon name="check" size="small" />}
          </button>
        </li>
      ))}
    </ul>
  );
}
