/**
 * Where the next message is written: mode, context meter, mentions, and the suggestion above it.
 *
 * Invariant: Tab takes the suggestion only into an empty prompt; Enter on an empty prompt does nothing unless the user's
 * setting says so; what was typed is never replaced.
 */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { AgentMode } from '../../src/editor/protocol/agent.ts';
import { nameOf } from '../shell/place.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { MenuList } from '../ui/menu.tsx';
import { type AgentStore, labelOf } from './agent-store.ts';
import { MentionList } from './mention-list.tsx';
import { MentionSearch } from './mention-search.ts';
import { SuggestionChip } from './suggestion-chip.tsx';

export function Composer({ agent }: { readonly agent: AgentStore }): VNode {
  const field = useRef<HTMLTextAreaElement>(null);
  const isFocused = useSignal(false);
  const search = useMemo(
    () =>
      new MentionSearch(agent.page, (mention, { from, query }) => {
        const draft = agent.draft.peek();
        const rest = draft.slice(from + 1 + query.length);
        agent.draft.value = `${draft.slice(0, from)}@${labelOf(mention)} ${rest}`;
        agent.mentions.value = [...agent.mentions.peek(), mention];
        field.current?.focus();
      }),
    [agent],
  );
  const state = agent.state.value;
  const text = agent.draft.value;
  const follow = ({ value, selectionStart }: HTMLTextAreaElement): void =>
    search.follow(value, selectionStart);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const action = search.actionOf(event.key);
    if (action === undefined) composerKey(event, agent);
    else {
      event.preventDefault();
      event.stopPropagation();
      action();
    }
  };
  return (
    <div class="composer">
      <SuggestionChip agent={agent} isPromptFocused={isFocused.value} />
      <div class="box">
        <MentionList search={search} />
        <FocusChip agent={agent} />
        <textarea
          ref={field}
          class="prompt"
          rows={Math.min(8, Math.max(1, text.split('\n').length))}
          aria-label="Message to the agent"
          placeholder={
            state?.question ? 'The agent waits for your answer above' : 'Ask, or type @ for a file or symbol'
          }
          value={text}
          onInput={({ currentTarget }) => {
            agent.type(currentTarget.value);
            follow(currentTarget);
          }}
          onKeyDown={onKeyDown}
          onClick={({ currentTarget }) => follow(currentTarget)}
          onFocus={() => {
            isFocused.value = true;
          }}
          onBlur={() => {
            isFocused.value = false;
          }}
        />
        <div class="row">
          <ModeMenu agent={agent} />
          <span class="grow" />
          <ContextMeter agent={agent} />
          <SendButton agent={agent} />
        </div>
      </div>
    </div>
  );
}

function SendButton({ agent }: { readonly agent: AgentStore }): VNode {
  const state = agent.state.value;
  if (state?.isRunning === true) {
    return (
      <Button size="small" title="Stop (Escape)" onClick={() => agent.stop()}>
        <Icon name="stop" size="small" />
        Stop
      </Button>
    );
  }
  return (
    <button
      type="button"
      class="b s p"
      aria-label="Send"
      disabled={agent.draft.value.trim() === '' || state?.model.kind === 'none'}
      onClick={() => agent.send()}
    >
      <Icon name="send" size="small" />
    </button>
  );
}

function composerKey(event: KeyboardEvent, agent: AgentStore): void {
  const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (isPlain && promptKeys[event.key]?.(agent) === 'taken') event.preventDefault();
}

/** What a key does in the prompt; `left` where it means what it always means. */
const promptKeys: Readonly<Record<string, (agent: AgentStore) => 'taken' | 'left'>> = {
  Tab: (agent) => (agent.fill() ? 'taken' : 'left'),
  Enter: (agent) => {
    const isEmpty = agent.draft.peek() === '';
    const isRun = isEmpty && agent.state.peek()?.enterRuns === true && agent.fill();
    if (!isEmpty || isRun) agent.send();
    return 'taken';
  },
  Escape: (agent) => {
    const state = agent.state.peek();
    if (state?.isRunning === true) agent.stop();
    else if (state?.suggestion && agent.draft.peek() === '') agent.dismiss();
    else return 'left';
    return 'taken';
  },
};

/** The file that goes along with the next message, unless the user takes it off. */
function FocusChip({ agent }: { readonly agent: AgentStore }): VNode | null {
  const path = agent.page.editors.active.value?.path ?? agent.page.tabs.activePath.value;
  if (path === undefined || agent.isFocusLeftOut.value) return null;
  return (
    <div class="row along-chips">
      <span class="tag" title={path}>
        <Icon name="file" size="small" />
        <span class="cut">{nameOf(path)}</span>
        <IconButton
          icon="close"
          size="small"
          label={`Do not send ${nameOf(path)} along`}
          onClick={() => {
            agent.isFocusLeftOut.value = true;
          }}
        />
      </span>
    </div>
  );
}

const modes: readonly { readonly mode: AgentMode; readonly title: string; readonly sentence: string }[] = [
  { mode: 'default', title: 'Ask first', sentence: 'Edits are proposed. Commands ask.' },
  {
    mode: 'acceptEdits',
    title: 'Accept edits',
    sentence: 'Files are edited without asking. Commands still ask.',
  },
  { mode: 'plan', title: 'Plan only', sentence: 'Nothing is changed or run.' },
  { mode: 'bypassPermissions', title: 'Allow everything', sentence: 'Files and commands, without asking.' },
];

function ModeMenu({ agent }: { readonly agent: AgentStore }): VNode {
  const isOpen = useSignal(false);
  const current = modes.find(({ mode }) => mode === agent.state.value?.mode);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <span class="menu-anchor up">
      <button
        ref={button}
        type="button"
        class={`b s q mode${current?.mode === 'bypassPermissions' ? ' c-break' : ''}`}
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.peek();
        }}
      >
        {current?.title ?? 'Ask first'}
        <Icon name="chevronDown" size="small" />
      </button>
      {isOpen.value && (
        <MenuList
          label="Mode"
          items={modes.map(({ mode, title, sentence }) => ({
            title,
            sentence,
            isChecked: mode === current?.mode,
            run: () => agent.setMode(mode),
          }))}
          onClose={() => {
            isOpen.value = false;
            button.current?.focus();
          }}
        />
      )}
    </span>
  );
}

function ContextMeter({ agent }: { readonly agent: AgentStore }): VNode | null {
  const usage = agent.state.value?.usage;
  if (usage === undefined || usage.limit === 0) return null;
  const share = Math.min(100, Math.round((usage.context / usage.limit) * 100));
  const tokens = `Context: ${usage.context.toLocaleString('en')} of ${usage.limit.toLocaleString('en')} tokens. Used so far: ${usage.input.toLocaleString('en')} in, ${usage.output.toLocaleString('en')} out.`;
  return (
    <span class="row faint sm" title={tokens}>
      <span class="meter" role="img" aria-label={`Context ${share} %`}>
        <i style={{ width: `${share}%` }} />
      </span>
      {share} %
    </span>
  );
}
