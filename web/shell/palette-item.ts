/** One row of the palette. */
import type { IconName } from '../ui/icon.tsx';
import type { VerdictKind } from '../ui/verdict.tsx';

export interface PaletteItem {
  readonly id: string;
  readonly icon: IconName;
  readonly title: string;
  /** Places in the title that the text matched. */
  readonly hits: ReadonlySet<number>;
  readonly detail: string;
  readonly keys: readonly string[];
  readonly mark?: { readonly kind: VerdictKind; readonly word: string } | undefined;
  readonly run: () => void;
}
