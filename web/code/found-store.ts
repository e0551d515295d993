/** What was last looked for in code: references, implementations, callers. It is shown in the bottom panel. */
import { signal } from '@preact/signals';
import type { ResultOf } from '../../src/editor/protocol.ts';

export type FoundLocation = ResultOf<'code.references'>['locations'][number];

export interface Found {
  readonly title: string;
  readonly locations: readonly FoundLocation[];
  /** What is not certain of it; empty: nothing. */
  readonly note: string;
}

export class FoundStore {
  readonly state = signal<
    | { readonly kind: 'nothing' }
    | { readonly kind: 'looking'; readonly what: string }
    | { readonly kind: 'found'; readonly found: Found }
  >({ kind: 'nothing' });
  /** Called when something is to be shown. */
  onShow: (() => void) | undefined;

  begin(what: string): void {
    this.state.value = { kind: 'looking', what };
  }

  show(found: Found): void {
    this.state.value = { kind: 'found', found };
    this.onShow?.();
  }

  clear(): void {
    this.state.value = { kind: 'nothing' };
  }
}
