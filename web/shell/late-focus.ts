/**
 * The focus for what is drawn later than it was asked for.
 *
 * Invariant: the focus is taken only from where it was when it was asked for, or from nowhere: a user who went on to another
 * field keeps typing there.
 */
export function askFocus(): (take: () => void) => void {
  const from = document.activeElement;
  return (take) => {
    const { activeElement, body } = document;
    if (activeElement === from || activeElement === body) take();
  };
}
