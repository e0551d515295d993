/**
 * The status bar. Its first item is the verdict of the unsaved text: it never moves and never hides.
 */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../ui/icon.tsx';
import { verdictColour, verdictIcon } from '../ui/verdict.tsx';
import type { Page } from './page.ts';
import type { StatusItem, StatusVerdict } from './part.ts';
import { rightView } from './right-panel.tsx';
import { shownVerdict } from './shown-verdict.ts';

export function StatusBar({ page }: { readonly page: Page }): VNode {
  const items = page.parts.value.flatMap((part) => part.statusItems ?? []).sort((a, b) => a.order - b.order);
  const verdict = shownVerdict(page);
  const agent = rightView(page);
  const at = (side: StatusItem['side']): VNode[] =>
    items.filter((item) => item.side === side).map((item) => <StatusEntry key={item.id} item={item} />);
  return (
    <footer class="status" aria-label="Status" data-region="status">
      <VerdictButton page={page} verdict={verdict} />
      {at('left')}
      {agent !== undefined && (
        <button type="button" class="small-only" onClick={() => page.commands.run('agent.open')}>
          <Icon name="agent" size="small" />
          {['Agent', agent.summary?.value ?? ''].filter((word) => word !== '').join(' · ')}
        </button>
      )}
      <span class="gap" />
      <div class="status-end">{at('right')}</div>
      <SpokenVerdict verdict={verdict} />
    </footer>
  );
}

function VerdictButton({ page, verdict }: { readonly page: Page; readonly verdict: StatusVerdict }): VNode {
  return (
    <button
      type="button"
      class={`verdict ${verdictColour(verdict.kind)}`}
      data-verdict={verdict.kind}
      title={verdict.tooltip}
      onClick={() => page.commands.run('future.open')}
    >
      <Icon name={verdictIcon(verdict.kind)} />
      <span class="cut">
        {verdict.word} {verdict.detail !== '' && <span class="muted">· {verdict.detail}</span>}
      </span>
    </button>
  );
}

function StatusEntry({ item }: { readonly item: StatusItem }): VNode | null {
  const width = item.width === 'wide' ? 'wide' : '';
  const title = item.title?.value;
  const body = item.body();
  if (body === '' || body === null || body === undefined || body === false) return null;
  if (item.onClick === undefined) {
    return (
      <span class={width} title={title} data-item={item.id}>
        {body}
      </span>
    );
  }
  return (
    <button type="button" class={width} title={title} data-item={item.id} onClick={item.onClick}>
      {body}
    </button>
  );
}

/** A verdict is read out when it differs from the last one and has stood for a second. */
const standMs = 1_000;

function SpokenVerdict({ verdict }: { readonly verdict: StatusVerdict }): VNode {
  const [spoken, setSpoken] = useState('');
  const isUrgent = verdict.kind === 'warning' || verdict.kind === 'conflict';
  useEffect(() => {
    if (verdict.kind === 'checking') return undefined;
    const timer = setTimeout(() => setSpoken(verdict.spoken), standMs);
    return () => clearTimeout(timer);
  }, [verdict.spoken, verdict.kind]);
  return (
    <span class="sr" role="status" aria-live={isUrgent ? 'assertive' : 'polite'} data-spoken>
      {spoken}
    </span>
  );
}
