/** What can follow the first keys of a sequence, shown after a moment. */
import type { ReadonlySignal } from '@preact/signals';
import type { VNode } from 'preact';
import { Keys } from '../ui/button.tsx';
import type { PendingKeys } from './key-dispatcher.ts';

export function PendingKeyList({
  pending,
}: {
  readonly pending: ReadonlySignal<PendingKeys | undefined>;
}): VNode | null {
  const shown = pending.value;
  if (shown === undefined) return null;
  return (
    <section class="pal pending-keys" role="status" aria-label={`After ${shown.pressed}`}>
      <ul>
        {shown.continuations.map(({ key, title }) => (
          <li key={key}>
            <Keys keys={[key]} />
            <span class="cut">{title}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
