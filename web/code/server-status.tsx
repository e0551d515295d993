/** The language servers in the status bar, and what is said when one stops or is missing. */
import { computed, effect } from '@preact/signals';
import type { Page } from '../shell/page.ts';
import type { StatusItem } from '../shell/part.ts';
import type { DiagnosticStore, ServerState } from './diagnostic-store.ts';

export function serverStatus(page: Page, store: DiagnosticStore): StatusItem {
  followStops(page, store);
  const running = computed(() =>
    store.servers.value.filter(({ state }) => state !== 'missing' && state !== 'stopped'),
  );
  return {
    id: 'servers',
    side: 'right',
    order: 10,
    body: () =>
      running.value.map(({ name, state }) => (state === 'ready' ? name : `${name}, ${state}`)).join(', '),
    title: computed(() => store.servers.value.map((server) => `${server.name}: ${words(server)}`).join('\n')),
  };
}

function words({ state, detail }: ServerState): string {
  return detail === undefined ? state : `${state}, ${detail}`;
}

/** A server that stops is news; one that never ran is not. */
function followStops(page: Page, store: DiagnosticStore): void {
  let before = new Map<string, ServerState['state']>();
  effect(() => {
    const now = new Map(store.servers.value.map(({ name, state }) => [name, state]));
    for (const [name, state] of now) {
      const last = before.get(name);
      if (state === 'stopped' && last !== undefined && last !== 'stopped') {
        page.toasts.show({
          title: `The ${name} server stopped.`,
          detail: 'Verdicts are unknown until it answers again.',
          icon: 'warning',
          colour: 'caution',
        });
      }
    }
    before = now;
  });
}
