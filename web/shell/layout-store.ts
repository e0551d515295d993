/**
 * Which panels are shown and how large they are.
 *
 * Invariant: a size is within its bounds; one that was never changed follows the design (and so the width of the window).
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
  #lastLeft = 'files';
  #lastBottom = 'future';

  showLeft(id: string): void {
    this.#lastLeft = id;
    this.left.value = id;
  }

  showBottom(id: string): void {
    this.#lastBottom = id;
    this.bottom.value = id;
  }

  toggle(side: PanelSide): void {
    if (side === 'right') this.isRightShown.value = !this.isRightShown.peek();
    else if (side === 'left') this.left.value = this.left.peek() === undefined ? this.#lastLeft : undefined;
    else this.bottom.value = this.bottom.peek() === undefined ? this.#lastBottom : undefined;
  }

  close(side: PanelSide): void {
    if (side === 'right') this.isRightShown.value = false;
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
