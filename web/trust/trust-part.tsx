/**
 * Whether the workspace is trusted: the question when it is first opened, and what is not used until then.
 *
 * Invariant: only a click or a command of the user grants trust.
 */
import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import type { TrustState } from '../../src/editor/protocol/trust.ts';
import { neverAborts, type Page } from '../shell/page.ts';
import type { Part } from '../shell/part.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';

const askKey = 'trust.ask';

export function trustPart(page: Page): Part {
  const state = signal<TrustState | undefined>(undefined);
  page.link.onSnapshot(({ trust }) => {
    state.value = trust;
  });
  page.link.on('trust.changed', ({ trust }) => {
    state.value = trust;
  });
  const grant = (): void =>
    page.run(async () => {
      await page.link.request('trust.grant', {}, neverAborts);
      page.toasts.show({ title: 'This workspace is trusted. Its servers start again.', icon: 'check' });
    });
  return {
    notes: () => {
      const trust = state.value;
      if (trust === undefined || trust.isTrusted || page.settings.get(askKey) === false) return null;
      return <TrustNote page={page} trust={trust} grant={grant} />;
    },
    commands: [
      {
        id: 'trust.grant',
        title: 'Trust this workspace',
        icon: 'lock',
        isEnabled: () => state.peek()?.isTrusted === false,
        run: grant,
      },
    ],
    settings: [
      {
        key: askKey,
        group: 'Trust',
        title: 'Say that this workspace is not trusted',
        sentence: 'Programs of a workspace that is not trusted never run, whether this is shown or not.',
        fallback: true,
        scope: 'workspace',
      },
    ],
  };
}

function TrustNote(props: {
  readonly page: Page;
  readonly trust: TrustState;
  readonly grant: () => void;
}): VNode {
  const { page, trust, grant } = props;
  const { withheld } = trust;
  const more = withheld.length > 2 ? ` and ${withheld.length - 2} more` : '';
  return (
    <section class="note caution" aria-label="Trust">
      <Icon name="lock" />
      <span class="grow" title={withheld.join('\n')}>
        Not trusted yet: the tools of this workspace are not used.
        {withheld.length > 0 && ` Not used: ${withheld.slice(0, 2).join(', ')}${more}.`}
      </span>
      <Button size="small" onClick={grant}>
        Trust this workspace
      </Button>
      <Button size="small" look="quiet" onClick={() => page.run(() => page.settings.set(askKey, false))}>
        Not now
      </Button>
    </section>
  );
}
