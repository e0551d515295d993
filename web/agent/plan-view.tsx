/** The steps of the agent's plan: done, now, and to come. */
import type { VNode } from 'preact';
import type { AgentState } from '../../src/editor/protocol/agent.ts';
import { Icon } from '../ui/icon.tsx';

const icons = { completed: 'check', in_progress: 'chevronRight', pending: 'none' } as const;
const words = { completed: 'done', in_progress: 'now', pending: 'to come' } as const;

export function PlanView({ plan }: { readonly plan: AgentState['plan'] }): VNode {
  return (
    <ol class="plan tools" aria-label="Plan">
      {plan.map(({ content, status }, index) => (
        <li key={index} class="tool" data-status={status}>
          <Icon name={icons[status]} size="small" />
          <span class={status === 'in_progress' ? 'strong' : 'muted'}>{content}</span>
          <span class="sr">{words[status]}</span>
        </li>
      ))}
    </ol>
  );
}
