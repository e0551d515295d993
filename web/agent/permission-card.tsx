/** A permission that the agent waits for. Y, N and A answer it while the card has the focus. */
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { AgentQuestion } from '../../src/editor/protocol/agent.ts';
import { enterRightView } from '../shell/region.ts';
import { Button, Keys } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import type { AgentStore } from './agent-store.ts';

export function PermissionCard({
  agent,
  question,
}: {
  readonly agent: AgentStore;
  readonly question: AgentQuestion;
}): VNode {
  const card = useRef<HTMLElement>(null);
  useEffect(() => card.current?.scrollIntoView({ block: 'nearest' }), []);
  const answer = (given: 'once' | 'always' | 'no'): void => {
    agent.answer(question.id, given);
    enterRightView(agent.page);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const given = { y: 'once', n: 'no', a: 'always' }[event.key.toLowerCase()];
    if (given !== 'once' && given !== 'no' && given !== 'always') return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    answer(given);
  };
  return (
    <section class="card permission" aria-label="Permission" ref={card} onKeyDown={onKeyDown}>
      <div class="ch">
        <span class="c-caution">
          <Icon name="lock" />
        </span>
        <span class="strong" role="alert">
          {question.title}
        </span>
      </div>
      <div class="stack permission-body">
        <pre class="cmd" tabIndex={0}>
          {question.subject}
        </pre>
        {question.scope !== '' && <p class="sm muted">{question.scope}</p>}
      </div>
      <div class="cf">
        <Button size="small" onClick={() => answer('no')}>
          No
        </Button>
        <span class="grow" />
        <Button
          size="small"
          title={`Adds the rule ${question.rule} to this conversation`}
          onClick={() => answer('always')}
        >
          Always {shortRule(question.rule)}
        </Button>
        <Button size="small" look="primary" onClick={() => answer('once')}>
          Once <Keys keys={['Y']} />
        </Button>
      </div>
    </section>
  );
}

/** `Bash(npm test:*)` is what a settings file says; the button says `npm test`. */
function shortRule(rule: string): string {
  const [, pattern] = /^\w+\((.*?)(?::\*)?\)$/s.exec(rule) ?? [];
  const shown = pattern ?? rule;
  return shown.length <= 24 ? shown : `${shown.slice(0, 23)}…`;
}
