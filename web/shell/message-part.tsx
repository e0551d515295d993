/** The list of all messages that were shown. */
import type { VNode } from 'preact';
import { Icon } from '../ui/icon.tsx';
import type { Page } from './page.ts';
import type { Part } from './part.ts';

export function messagePart(page: Page): Part {
  return {
    tabTypes: [{ type: 'messages', icon: 'bell', body: () => <Messages page={page} /> }],
  };
}

function Messages({ page }: { readonly page: Page }): VNode {
  const messages = [...page.toasts.kept.value].reverse();
  return (
    <div class="doc-page">
      <h1>Messages</h1>
      {messages.length === 0 && <p class="muted">No messages.</p>}
      <ul class="stack messages">
        {messages.map((message) => (
          <li key={message.id} class="row">
            {message.icon !== undefined && (
              <span class={`toast-icon c-${message.colour ?? 'checking'}`}>
                <Icon name={message.icon} />
              </span>
            )}
            <span class="grow stack">
              <span>{message.title}</span>
              {message.detail !== undefined && <span class="sm muted">{message.detail}</span>}
            </span>
            <time class="sm faint">{message.at.toLocaleTimeString()}</time>
          </li>
        ))}
      </ul>
    </div>
  );
}
