/**
 * Markdown as elements. It is built from text nodes alone: whatever a server, a model or a file name contains, no HTML of it
 * is ever parsed, and no link leads to a script.
 */
import type { ComponentChild, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { type MarkdownBlock, markdownBlocks } from './markdown-block.ts';
import { type Inline, markdownInlines } from './markdown-inline.ts';

export function Markdown({ text }: { readonly text: string }): VNode {
  const blocks = useMemo(() => markdownBlocks(text), [text]);
  return <div class="md stack">{blocks.map(drawBlock)}</div>;
}

function inlines(text: string): ComponentChild[] {
  return markdownInlines(text).map(drawInline);
}

function drawBlock(block: MarkdownBlock, index: number): VNode {
  switch (block.kind) {
    case 'heading':
      return (
        <p key={index} class="md-heading" role="heading" aria-level={Math.min(block.level + 2, 6)}>
          {inlines(block.text)}
        </p>
      );
    case 'paragraph':
      return <p key={index}>{inlines(block.text)}</p>;
    case 'code':
      return (
        <pre key={index} class="md-code" data-language={block.language} tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case 'quote':
      return <blockquote key={index}>{block.blocks.map(drawBlock)}</blockquote>;
    case 'rule':
      return <hr key={index} />;
    case 'list':
      return drawList(block, index);
    case 'table':
      return drawTable(block, index);
  }
}

function drawList(block: Extract<MarkdownBlock, { readonly kind: 'list' }>, index: number): VNode {
  const items = block.items.map((item, at) => (
    <li key={at}>
      {item.map((inside, place) =>
        inside.kind === 'paragraph' ? (
          <span key={place}>{inlines(inside.text)}</span>
        ) : (
          drawBlock(inside, place)
        ),
      )}
    </li>
  ));
  return block.isOrdered ? (
    <ol key={index} start={block.start}>
      {items}
    </ol>
  ) : (
    <ul key={index}>{items}</ul>
  );
}

function drawTable({ head, rows }: Extract<MarkdownBlock, { readonly kind: 'table' }>, index: number): VNode {
  return (
    <table key={index}>
      <thead>
        <tr>
          {head.map((cell, at) => (
            <th key={at}>{inlines(cell)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, place) => (
              <td key={place}>{inlines(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function drawInline(inline: Inline, key: number): ComponentChild {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'code':
      return <code key={key}>{inline.text}</code>;
    case 'strong':
      return <strong key={key}>{inline.content.map(drawInline)}</strong>;
    case 'emphasis':
      return <em key={key}>{inline.content.map(drawInline)}</em>;
    case 'deleted':
      return <del key={key}>{inline.content.map(drawInline)}</del>;
    case 'break':
      return <br key={key} />;
    case 'link':
      return (
        <a key={key} href={inline.address} target="_blank" rel="noopener noreferrer">
          {inline.content.map(drawInline)}
        </a>
      );
  }
}
