/** The conversation: what was said, and one line for each thing that was done. */
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { AgentItem } from '../../src/editor/protocol/agent.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Markdown } from '../ui/markdown.tsx';
import type { AgentStore } from './agent-store.ts';
import { PermissionCard } from './permission-card.tsx';
import { PlanView } from './plan-view.tsx';
import { ProposalCard } from './proposal-card.tsx';
import { AgentVerdictView } from './verdict-words.tsx';

export function ConversationView({ agent }: { readonly agent: AgentStore }): VNode {
  const view = agent.view.value;
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const onScroll = (): void => {
    const { current } = list;
    if (current) isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < 40;
  };
  // New text is followed only by a reader who is at the end: nothing moves under anybody who reads further up.
  useEffect(() => {
    if (isAtEnd.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  });
  const state = view?.state;
  return (
    <div class="conv" ref={list} onScroll={onScroll} role="log" aria-label="Conversation" aria-live="off">
      {view !== undefined && view.items.length === 0 && <Beginning agent={agent} />}
      {(view?.items ?? []).map((item) => (
        <Item key={item.id} item={item} agent={agent} />
      ))}
      {state !== undefined && state.plan.length > 0 && <PlanView plan={state.plan} />}
      <ProposalCard agent={agent} />
      {state?.question && <PermissionCard key={state.question.id} agent={agent} question={state.question} />}
      {state?.isRunning === true && state.question === undefined && (
        <p class="row sm muted" role="status">
          <Icon name="checking" size="small" />
          Working
        </p>
      )}
    </div>
  );
}

function Beginning({ agent }: { readonly agent: AgentStore }): VNode {
  const model = agent.state.value?.model;
  if (model?.kind === 'none') {
    return (
      <div class="stack agent-empty">
        <p class="strong">No model yet</p>
        <p class="muted">The agent and model ghost text need one. Everything else works without.</p>
        <p class="sm muted">{model.message}.</p>
        <p class="sm">{model.remedy}</p>
        <div class="row">
          <Button look="primary" onClick={() => agent.look()}>
            Look again
          </Button>
          <ChooseModel agent={agent} />
        </div>
      </div>
    );
  }
  return (
    <p class="muted agent-empty">
      Ask about this workspace, or for a change. You see what it does before it is written.
    </p>
  );
}

function ChooseModel({ agent }: { readonly agent: AgentStore }): VNode {
  const choose = (): void => {
    const { page } = agent;
    page.run(async () => {
      const { answer, text } = await page.dialogs.ask({
        title: 'Choose a model',
        body: 'As its provider names it, such as qwen3:8b or ollama/qwen3:8b.',
        field: { label: 'Model', value: '' },
        choices: [
          { answer: 'cancel', title: 'Cancel' },
          { answer: 'use', title: 'Use it', look: 'primary' },
        ],
        safe: 'cancel',
      });
      if (answer === 'use' && text.trim() !== '') agent.look(text.trim());
    });
  };
  return <Button onClick={choose}>Choose a model…</Button>;
}

function Item({ item, agent }: { readonly item: AgentItem; readonly agent: AgentStore }): VNode {
  switch (item.kind) {
    case 'user':
      return (
        <div class="say" data-item="user">
          <span class="said">{item.text}</span>
          {item.along.length > 0 && <span class="sm faint along">With {item.along.join(', ')}</span>}
        </div>
      );
    case 'text':
      return <Markdown text={item.text} />;
    case 'thinking':
      return (
        <details class="tools thinking">
          <summary class="tool">Thinking</summary>
          <p class="sm muted said">{item.text}</p>
        </details>
      );
    case 'tool':
      return <ToolLine item={item} />;
    case 'notice':
      return <p class="sm muted">{item.text}</p>;
    case 'failure':
      return (
        <div class="stack failed" role="alert">
          <p class="c-break">{item.text}</p>
          <p class="sm muted">{item.remedy}</p>
          <div class="row">
            <Button size="small" onClick={() => resend(agent, item.message)}>
              Send again
            </Button>
          </div>
        </div>
      );
  }
}

function resend(agent: AgentStore, message: string): void {
  agent.draft.value = message;
  agent.send();
}

const toolIcons = {
  asked: 'none',
  running: 'checking',
  done: 'check',
  failed: 'close',
  denied: 'close',
} as const;

function ToolLine({ item }: { readonly item: Extract<AgentItem, { kind: 'tool' }> }): VNode {
  return (
    <details class="tools" data-tool={item.tool} data-state={item.state}>
      <summary class="tool">
        <Icon name={toolIcons[item.state]} size="small" />
        <span class="cut">{item.title}</span>
        {item.reason !== undefined && <span class="cut c-break">{item.reason}</span>}
        {item.verdict !== undefined && <AgentVerdictView verdict={item.verdict} />}
        <span class="sr">{item.state}</span>
      </summary>
      <pre class="md-code" tabIndex={0}>
        {item.detail}
      </pre>
    </details>
  );
}
