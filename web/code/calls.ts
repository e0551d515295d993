/** Who calls the function at the caret, and what it calls. */
import type { Page } from '../shell/page.ts';
import { askAbout } from './code-client.ts';
import type { FoundLocation, FoundStore } from './found-store.ts';
import { caretOf } from './navigation.ts';

export function showCalls(page: Page, found: FoundStore, direction: 'incoming' | 'outgoing'): void {
  const caret = caretOf(page);
  if (caret === undefined) return;
  page.run(async () => {
    const { document, position } = caret;
    found.begin(direction === 'incoming' ? 'Callers' : 'Calls');
    page.layout.showBottom('search');
    const answer = await askAbout(
      page,
      document,
      'code.calls',
      { position, direction },
      AbortSignal.timeout(60_000),
    );
    if (answer === undefined) return found.clear();
    const name = answer.item?.name ?? 'this';
    const locations = answer.calls.flatMap(({ item, places }): readonly FoundLocation[] =>
      direction === 'incoming' ? places : [item.location],
    );
    const title = direction === 'incoming' ? `Calls of ${name}` : `What ${name} calls`;
    found.show({
      title: `${title}: ${locations.length}`,
      locations,
      note: answer.isKnown ? '' : 'The language server does not say.',
    });
  });
}
