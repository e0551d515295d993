/** What the user may ask next, worked out ahead: its words, its verdict, and the key that takes it now. */
import type { VNode } from 'preact';
import { IconButton, Keys } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import type { AgentStore } from './agent-store.ts';
import { AgentVerdictView, counted } from './verdict-words.tsx';

export function SuggestionChip({
  agent,
  isPromptFocused,
}: {
  readonly agent: AgentStore;
  readonly isPromptFocused: boolean;
}): VNode | null {
  const suggestion = agent.state.value?.suggestion;
  if (suggestion === undefined) return null;
  const isEmpty = agent.draft.value === '';
  const key = isPromptFocused && isEmpty ? ['Tab'] : ['Alt Enter'];
  return (
    <section class="chip stack" aria-label="Suggestion" data-ready={suggestion.stepsReady}>
      <div class="row">
        <span class="grow cut">{suggestion.text}</span>
        {isEmpty && <Keys keys={key} />}
        <Menu
          label="Suggestions"
          icon="more"
          items={[{ title: 'Stop suggesting', run: () => agent.suggest('off') }]}
        />
        <IconButton icon="close" size="small" label="Dismiss suggestion" onClick={() => agent.dismiss()} />
      </div>
      <div class="row sm">
        {suggestion.verdict !== undefined && <AgentVerdictView verdict={suggestion.verdict} />}
        <span class="muted cut">{suggestion.size ?? ''}</span>
        <span class="grow" />
        {suggestion.stepsReady > 0 && (
          <span class="muted nowrap">{counted(suggestion.stepsReady, 'step')} ready</span>
        )}
      </div>
    </section>
  );
}
