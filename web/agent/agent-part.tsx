/** The agent: its panel, the review of what it proposes, and what the status bar says of it. */
import './agent.css';
import { computed, effect } from '@preact/signals';
import type { VNode } from 'preact';
import type { Page } from '../shell/page.ts';
import type { Part } from '../shell/part.ts';
import { enterRightView } from '../shell/region.ts';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { AgentStore } from './agent-store.ts';
import { Composer } from './composer.tsx';
import { ConversationView } from './conversation-view.tsx';
import { EarlierConversations } from './earlier-conversations.tsx';
import { ReviewTab } from './review-tab.tsx';

export function agentPart(page: Page): Part {
  const agent = new AgentStore(page);
  const waits = computed(() => agent.state.value?.question !== undefined);
  const ready = computed(() => agent.state.value?.suggestion?.stepsReady ?? 0);
  const saved = computed(() => savedWords(agent.state.value?.savedMs ?? 0));
  const summary = computed(() => {
    if (waits.value) return 'waits for you';
    if (agent.state.value?.isRunning === true) return 'working';
    return ready.value > 0 ? `${ready.value} ${ready.value === 1 ? 'step' : 'steps'} ready` : '';
  });
  effect(() => markTitle(waits.value));
  return {
    rightView: {
      title: 'Agent',
      head: () => <PanelHead agent={agent} />,
      body: () => (
        <>
          <ConversationView agent={agent} />
          <Composer agent={agent} />
        </>
      ),
      summary,
      entry: '.prompt',
    },
    editorExtension: (file) => agent.focus.extension(file),
    tabTypes: [
      {
        type: 'proposal',
        icon: 'edit',
        body: () => <ReviewTab agent={agent} />,
        title: () => 'Proposal',
        entry: '.review',
      },
    ],
    statusItems: [
      {
        id: 'agent.waits',
        side: 'left',
        order: 60,
        body: () => (waits.value ? <WaitsForYou /> : null),
        onClick: () => page.commands.run('agent.open'),
      },
      { id: 'agent.saved', side: 'right', order: 60, body: () => saved.value },
    ],
    commands: [
      { id: 'agent.new', title: 'Agent: new conversation', icon: 'plus', run: () => agent.begin() },
      {
        id: 'agent.review',
        title: 'Agent: review the proposal',
        icon: 'edit',
        isEnabled: () => agent.proposal.peek() !== undefined,
        run: () => agent.review(),
      },
      {
        id: 'agent.stop',
        title: 'Agent: stop',
        icon: 'stop',
        isEnabled: () => agent.state.peek()?.isRunning === true,
        run: () => agent.stop(),
      },
      {
        id: 'agent.take',
        title: 'Agent: take the suggestion into the prompt',
        keys: ['Alt Enter'],
        isEnabled: () => agent.state.peek()?.suggestion !== undefined,
        run: () => {
          if (agent.fill()) enterRightView(page);
        },
      },
      {
        id: 'agent.suggest',
        title: 'Agent: suggest next steps, on or off',
        run: () => agent.suggest(agent.state.peek()?.suggests === true ? 'off' : 'on'),
      },
    ],
  };
}

function PanelHead({ agent }: { readonly agent: AgentStore }): VNode {
  const title = agent.state.value?.conversation?.title ?? '';
  return (
    <>
      <span class="faint sm cut">{title}</span>
      <span class="grow" />
      <EarlierConversations agent={agent} />
      <IconButton icon="plus" size="small" label="New conversation" onClick={() => agent.begin()} />
    </>
  );
}

function WaitsForYou(): VNode {
  return (
    <span class="row c-caution">
      <Icon name="lock" size="small" />
      Agent waits for you
    </span>
  );
}

const mark = '● ';

/** A tab in the background shows that the agent waits. */
function markTitle(isWaiting: boolean): void {
  const bare = document.title.startsWith(mark) ? document.title.slice(mark.length) : document.title;
  document.title = isWaiting ? `${mark}${bare}` : bare;
}

function savedWords(savedMs: number): string {
  if (savedMs < 1000) return '';
  const minutes = Math.round(savedMs / 60_000);
  return minutes > 0 ? `Ahead: ${minutes} min saved` : `Ahead: ${Math.round(savedMs / 1000)} s saved`;
}
