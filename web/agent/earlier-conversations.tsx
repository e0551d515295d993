/** The conversations of this workspace, those of the terminal included, in a list that opens from the panel's head. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { ResultOf } from '../../src/editor/protocol.ts';
import { neverAborts } from '../shell/page.ts';
import { Icon } from '../ui/icon.tsx';
import { MenuList } from '../ui/menu.tsx';
import type { AgentStore } from './agent-store.ts';

type Known = ResultOf<'agent.list'>['conversations'][number];

export function EarlierConversations({ agent }: { readonly agent: AgentStore }): VNode {
  const known = useSignal<readonly Known[] | undefined>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  const open = (): void => {
    const { page } = agent;
    page.run(async () => {
      known.value = (await page.link.request('agent.list', {}, neverAborts)).conversations;
    });
  };
  const close = (): void => {
    known.value = undefined;
    button.current?.focus();
  };
  const current = agent.state.value?.conversation?.id;
  return (
    <span class="menu-anchor">
      <button
        ref={button}
        type="button"
        class="ib s"
        aria-label="Earlier conversations"
        title="Earlier conversations"
        aria-haspopup="menu"
        aria-expanded={known.value !== undefined}
        onClick={() => (known.peek() === undefined ? open() : close())}
      >
        <Icon name="clock" />
      </button>
      {known.value !== undefined && (
        <MenuList
          label="Earlier conversations"
          items={
            known.value.length === 0
              ? [{ title: 'No conversations yet', run: () => {} }]
              : known.value.slice(0, 20).map(({ id, title, modifiedAt }) => ({
                  title,
                  sentence: new Date(modifiedAt).toLocaleString(),
                  ...(id === current && { isChecked: true }),
                  run: () => agent.open(id),
                }))
          }
          onClose={close}
        />
      )}
    </span>
  );
}
