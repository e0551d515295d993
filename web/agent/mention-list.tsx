/** Files and symbols that fit what stands after `@`. Arrow keys walk, Enter or Tab takes one, Escape closes. */
import type { VNode } from 'preact';
import { folderOf, nameOf } from '../shell/place.ts';
import { Icon } from '../ui/icon.tsx';
import type { MentionSearch } from './mention-search.ts';

export function MentionList({ search }: { readonly search: MentionSearch }): VNode | null {
  const mentions = search.mentions.value;
  if (mentions.length === 0) return null;
  return (
    <ul class="tt mentions" role="listbox" aria-label="Files and symbols">
      {mentions.map((mention, index) => (
        <li
          key={`${mention.kind} ${mention.path} ${mention.kind === 'symbol' ? mention.line : ''}`}
          role="option"
          aria-selected={index === search.at.value}
          class={index === search.at.value ? 'on' : ''}
          onPointerDown={(event) => {
            // The prompt keeps the focus.
            event.preventDefault();
            search.take(mention);
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
