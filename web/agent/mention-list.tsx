/** Files and symbols that fit what stands after `@`. Arrow keys walk, Enter or Tab takes one, Escape closes. */
import { useSignal } from '@preact/signals';
import type { RefObject, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { AgentMention } from '../../src/editor/protocol/agent.ts';
import { folderOf, nameOf } from '../shell/place.ts';
import { Icon } from '../ui/icon.tsx';
import type { AgentStore } from './agent-store.ts';

export interface MentionListProps {
  readonly agent: AgentStore;
  readonly query: string;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly onChoose: (mention: AgentMention) => void;
  readonly onClose: () => void;
}

/** The mention that is being written before the caret; undefined if there is none. */
export function mentionAt(
  text: string,
  caret: number,
): { readonly query: string; readonly from: number } | undefined {
  const [, query] = /(?:^|\s)@([^\s@]*)$/.exec(text.slice(0, caret)) ?? [];
  return query === undefined ? undefined : { query, from: caret - query.length - 1 };
}

export function MentionList({ agent, query, field, onChoose, onClose }: MentionListProps): VNode | null {
  const found = useSignal<readonly AgentMention[]>([]);
  const at = useSignal(0);
  useEffect(() => {
    const abort = new AbortController();
    const { page } = agent;
    page.run(async () => {
      const { mentions } = await page.link.request('agent.mentions', { query }, abort.signal);
      found.value = mentions;
      at.value = 0;
    });
    return () => abort.abort();
  }, [query]);
  useEffect(() => {
    const { current } = field;
    const onKeyDown = (event: KeyboardEvent): void => {
      const mentions = found.peek();
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const chosen = mentions[at.peek()];
      if (step !== undefined && mentions.length > 0)
        at.value = (at.peek() + step + mentions.length) % mentions.length;
      else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) onChoose(chosen);
      else if (event.key === 'Escape') onClose();
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    current?.addEventListener('keydown', onKeyDown, { capture: true });
    return () => current?.removeEventListener('keydown', onKeyDown, { capture: true });
  });
  if (found.value.length === 0) return null;
  return (
    <ul class="tt mentions" role="listbox" aria-label="Files and symbols">
      {found.value.map((mention, index) => (
        <li
          key={`${mention.kind} ${mention.path} ${mention.kind === 'symbol' ? mention.line : ''}`}
          role="option"
          aria-selected={index === at.value}
          class={index === at.value ? 'on' : ''}
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(mention);
          }}
        >
          <Icon name={mention.kind === 'file' ? 'file' : 'grid'} size="small" />
          <span class="cut">
            {mention.kind === 'file' ? nameOf(mention.path) : mention.name}{' '}
            <span class="faint">{mention.kind === 'file' ? folderOf(mention.path) : mention.path}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
