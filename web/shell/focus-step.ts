/** Moves the focus between the buttons of a bar with the arrow keys, Home and End. */

export function stepFocus(event: KeyboardEvent, direction: 'vertical' | 'horizontal'): void {
  const [back, forth] = direction === 'vertical' ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
  const { currentTarget, key } = event;
  if (!(currentTarget instanceof HTMLElement) || ![back, forth, 'Home', 'End'].includes(key)) return;
  const items = [...currentTarget.querySelectorAll<HTMLElement>('button:not([disabled]), [role=tab]')];
  const { activeElement } = document;
  const at = activeElement instanceof HTMLElement ? items.indexOf(activeElement) : -1;
  if (at < 0) return;
  event.preventDefault();
  const next = key === 'Home' ? 0 : key === 'End' ? items.length - 1 : at + (key === forth ? 1 : -1);
  items[(next + items.length) % items.length]?.focus();
}
