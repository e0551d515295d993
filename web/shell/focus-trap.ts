/** Keeps Tab inside of a dialog. */

export function keepFocusInside(event: KeyboardEvent): void {
  const { currentTarget } = event;
  if (event.key !== 'Tab' || !(currentTarget instanceof HTMLElement)) return;
  const inside = [
    ...currentTarget.querySelectorAll<HTMLElement>('button:not([disabled]), input, [tabindex="0"]'),
  ];
  const first = inside[0];
  const last = inside.at(-1);
  const edge = event.shiftKey ? first : last;
  if (document.activeElement !== edge) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
