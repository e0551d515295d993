/**
 * Which panels are shown and how large they are.
 *
 * Invariants: a size is within its bounds; one that was never changed follows the design (and so the width of the window).
 * A panel that has no room beside the editor lies over it, and only while it is asked for: nothing covers the text of a page
 * that was just loaded.
 */
import { signal } from '@preact/signals';

export type PanelSide = 'left' | 'right' | 'bottom';

/** In pixels; the property of `tokens.css` that a size overrides. */
export const panelBounds: Readonly<
  Record<PanelSide, { readonly least: number; readonly most: number; readonly property: string }>
> = {
  left: { least: 160, most: 640, property: '--w-left' },
  right: { least: 280, most: 720, property: '--w-right' },
  bottom: { least: 96, most: 720, property: '--h-bottom' },
};

export interface SavedLayout {
  readonly left: string | undefined;
  readonly bottom: string | undefined;
  readonly isRightShown: boolean;
  readonly sizes: Readonly<Partial<Record<PanelSide, number>>>;
}

export class LayoutStore {
  /** The id of the view at the left; undefined: the panel is closed. */
  readonly left = signal<string | undefined>('files');
  readonly bottom = signal<string | undefined>(undefined);
  readonly isRightShown = signal(true);
  readonly sizes = signal<Readonly<Partial<Record<PanelSide, number>>>>({});
  /** The panel that lies over the editor, where there is no room beside it. */
  readonly over = signal<PanelSide | undefined>(undefined);
  #lastLeft = 'files';
  #lastBottom = 'future';

  showLeft(id: string): void {
    this.#lastLeft = id;
    this.left.value = id;
    if (liesOver('left')) this.over.value = 'left';
  }

  showRight(): void {
    this.isRightShown.value = true;
    if (liesOver('right')) this.over.value = 'right';
  }

  isShown(side: PanelSide): boolean {
    const isOpen = side === 'right' ? this.isRightShown.value : this[side].value !== undefined;
    return isOpen && (this.over.value === side || !liesOver(side));
  }

  showBottom(id: string): void {
    this.#lastBottom = id;
    this.bottom.value = id;
  }

  toggle(side: PanelSide): void {
    if (this.isShown(side)) this.close(side);
    else if (side === 'right') this.showRight();
    else if (side === 'left') this.showLeft(this.#lastLeft);
    else this.showBottom(this.#lastBottom);
  }

  close(side: PanelSide): void {
    // Beside the editor it stays as it was, for when there is room again.
    if (liesOver(side)) this.over.value = undefined;
    else if (side === 'right') this.isRightShown.value = false;
    else this[side].value = undefined;
  }

  resize(side: PanelSide, pixels: number): void {
    const { least, most } = panelBounds[side];
    this.sizes.value = { ...this.sizes.peek(), [side]: Math.round(Math.min(Math.max(pixels, least), most)) };
  }

  resetSize(side: PanelSide): void {
    const { [side]: _, ...rest } = this.sizes.peek();
    this.sizes.value = rest;
  }

  saved(): SavedLayout {
    return {
      left: this.left.value,
      bottom: this.bottom.value,
      isRightShown: this.isRightShown.value,
      sizes: this.sizes.value,
    };
  }

  restore(saved: SavedLayout): void {
    if (saved.left !== undefined) this.#lastLeft = saved.left;
    if (saved.bottom !== undefined) this.#lastBottom = saved.bottom;
    this.left.value = saved.left;
    this.bottom.value = saved.bottom;
    this.isRightShown.value = saved.isRightShown;
    this.sizes.value = saved.sizes;
  }
}

const roomFrom: Readonly<Record<PanelSide, number>> = { left: 1024, right: 1200, bottom: 0 };

/** Whether the window is too narrow for a panel beside the editor. The style sheet has the same widths. */
export function liesOver(side: PanelSide): boolean {
  return matchMedia(`(max-width: ${roomFrom[side] - 1}px)`).matches;
}
