/** What stands under the pointer: the diagnostics of the place, and what the server says of it. */
import type { Extension } from '@codemirror/state';
import { type EditorView, hoverTooltip, type Tooltip } from '@codemirror/view';
import { render, type VNode } from 'preact';
import type { BufferDocument } from '../buffer/buffer-document.ts';
import type { Page } from '../shell/page.ts';
import { Markdown } from '../ui/markdown.tsx';
import { Verdict, type VerdictKind } from '../ui/verdict.tsx';
import { askQuietly, offsetsOf, positionAt } from './code-client.ts';
import { diagnosticsAt } from './diagnostic-marks.ts';
import type { Diagnostic } from './diagnostic-store.ts';

const longestMs = 5_000;

export function hover(page: Page, document: BufferDocument): Extension {
  return hoverTooltip((view, offset) => tooltipAt(page, document, view, offset), {
    hoverTime: 250,
    hideOnChange: true,
  });
}

/** Also shown by key, at the caret. */
export async function tooltipAt(
  page: Page,
  document: BufferDocument,
  view: EditorView,
  offset: number,
): Promise<Tooltip | null> {
  const { state } = view;
  const diagnostics = diagnosticsAt(state, offset);
  const params = { position: positionAt(state, offset) };
  const answer = await askQuietly(page, document, 'code.hover', params, AbortSignal.timeout(longestMs));
  const markdown = answer?.markdown ?? '';
  if (diagnostics.length === 0 && markdown === '') return null;
  const range = answer?.range === undefined ? { from: offset, to: offset } : offsetsOf(state, answer.range);
  return {
    pos: Math.min(range.from, offset),
    end: Math.max(range.to, offset),
    above: true,
    create: () => {
      const dom = window.document.createElement('div');
      dom.className = 'tt hover-card';
      render(<HoverCard diagnostics={diagnostics} markdown={markdown} />, dom);
      return { dom, destroy: () => render(null, dom) };
    },
  };
}

interface HoverCardProps {
  readonly diagnostics: readonly Diagnostic[];
  readonly markdown: string;
}

function HoverCard({ diagnostics, markdown }: HoverCardProps): VNode {
  return (
    <>
      {diagnostics.map((item, index) => (
        <div key={index} class="hover-diagnostic">
          <Verdict kind={severityVerdict[item.severity]} size="small">
            <span class="hover-message">{item.message}</span>
          </Verdict>
          <span class="faint mono hover-source">{sourceOf(item)}</span>
        </div>
      ))}
      {markdown !== '' && <Markdown text={markdown} />}
    </>
  );
}

export const severityVerdict: Readonly<Record<Diagnostic['severity'], VerdictKind>> = {
  error: 'break',
  warning: 'warning',
  info: 'none',
  hint: 'none',
};

/** `ts 2322`. */
export function sourceOf({ source, code }: Pick<Diagnostic, 'source' | 'code'>): string {
  return [source, code].filter((word) => word !== undefined).join(' ');
}
