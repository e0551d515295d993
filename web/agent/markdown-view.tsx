/** Markdown of a model on the page. Every text is a text node: nothing a model writes becomes markup. */
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { type Block, type Inline, parseMarkdown } from './markdown.ts';

export function Markdown({ text }: { readonly text: string }): VNode {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return <div class="md stack">{blocks.map(shownBlock)}</div>;
}

function shownBlock(block: Block, key: number): VNode {
  switch (block.kind) {
    case 'paragraph':
      return <p key={key}>{block.content.map(shownInline)}</p>;
    case 'heading':
      // The panel has the headings of the page; those of an answer are only set in bold.
      return (
        <p key={key} class="md-heading" data-level={block.level}>
          {block.content.map(shownInline)}
        </p>
      );
    case 'code':
      return (
        <pre key={key} class="md-code" tabIndex={0} data-language={block.language}>
          {block.text}
        </pre>
      );
    case 'quote':
      return <blockquote key={key}>{block.blocks.map(shownBlock)}</blockquote>;
    case 'list': {
      const items = block.items.map((item, index) => <li key={index}>{item.map(shownBlock)}</li>);
      return block.isOrdered ? <ol key={key}>{items}</ol> : <ul key={key}>{items}</ul>;
    }
    case 'table':
      return <MarkdownTable key={key} rows={block.rows} />;
    case 'rule':
      return <hr key={key} />;
  }
}

function MarkdownTable({ rows }: { readonly rows: readonly (readonly (readonly Inline[])[])[] }): VNode {
  const [head = [], ...body] = rows;
  return (
    <table>
      <thead>
        <tr>
          {head.map((cell, index) => (
            <th key={index}>{cell.map(shownInline)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {body.map((row, index) => (
          <tr key={index}>
            {row.map((cell, at) => (
              <td key={at}>{cell.map(shownInline)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function shownInline(inline: Inline, key: number): VNode | string {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'code':
      return <code key={key}>{inline.text}</code>;
    case 'strong':
      return <strong key={key}>{inline.content.map(shownInline)}</strong>;
    case 'emphasis':
      return <em key={key}>{inline.content.map(shownInline)}</em>;
    case 'link':
      return (
        <a key={key} href={inline.address} target="_blank" rel="noopener noreferrer">
          {inline.content.map(shownInline)}
        </a>
      );
  }
}
