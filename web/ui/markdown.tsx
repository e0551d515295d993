/**
 * Markdown as elements. It is built from text nodes alone: whatever a server, a model or a file name contains, no HTML of it
 * is ever parsed, and no link leads to a script.
 */
import type { ComponentChild, VNode } from 'preact';
import { type MarkdownBlock, markdownBlocks } from './markdown-block.ts';

export function Markdown({ text }: { readonly text: string }): VNode {
  return <div class="md">{markdownBlocks(text).map(drawBlock)}</div>;
}

function drawBlock(block: MarkdownBlock, index: number): VNode {
  switch (block.kind) {
    case 'heading':
      return (
        <p key={index} class="md-heading" role="heading" aria-level={Math.min(block.level + 2, 6)}>
          {inline(block.text)}
        </p>
      );
    case 'paragraph':
      return <p key={index}>{inline(block.text)}</p>;
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
          <span key={place}>{inline(inside.text)}</span>
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
            <th key={at}>{inline(cell)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, place) => (
              <td key={place}>{inline(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const marks =
  /(?<code>`+)(?<codeText>.+?)\k<code>(?!`)|\*\*(?<strong>[^\s*](?:.*?[^\s])?)\*\*|(?<![\w*])\*(?<em>[^\s*](?:[^*]*[^\s*])?)\*(?!\w)|(?<!\w)_(?<under>[^\s_](?:[^_]*[^\s_])?)_(?!\w)|~~(?<gone>[^~]+)~~|!?\[(?<label>[^\]]*)\]\((?<target>[^\s)]*)(?:\s+"[^"]*")?\)|<(?<auto>https?:\/\/[^\s<>]+)>|(?<bare>https?:\/\/[^\s<>()]+[^\s<>().,:;!?'"])|\\(?<escaped>[!-/:-@[-`{-~])|(?<break> {2,}\n|\\\n)/su;

const entities: Readonly<Record<string, string>> = {
  '&nbsp;': '\u00a0',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
};

/** What stands inside of a paragraph, a heading or a cell. */
function inline(text: string): ComponentChild[] {
  const drawn: ComponentChild[] = [];
  let rest = text;
  while (rest !== '') {
    const found = marks.exec(rest);
    if (found === null) break;
    drawn.push(plain(rest.slice(0, found.index)), drawMark(found, drawn.length));
    rest = rest.slice(found.index + found[0].length);
  }
  drawn.push(plain(rest));
  return drawn;
}

function plain(text: string): string {
  return text.replace(/&(?:nbsp|lt|gt|amp|quot|#39);/g, (entity) => entities[entity] ?? entity);
}

function drawMark({ 0: whole, groups = {} }: RegExpExecArray, key: number): ComponentChild {
  const { codeText, strong, em, under, gone, label, target, auto, bare, escaped } = groups;
  if (codeText !== undefined)
    return <code key={key}>{codeText.trim() === '' ? codeText : codeText.replace(/^ (.*) $/s, '$1')}</code>;
  if (strong !== undefined) return <strong key={key}>{inline(strong)}</strong>;
  if (em !== undefined || under !== undefined) return <em key={key}>{inline(em ?? under ?? '')}</em>;
  if (gone !== undefined) return <del key={key}>{inline(gone)}</del>;
  if (escaped !== undefined) return escaped;
  const address = target ?? auto ?? bare;
  if (address !== undefined) return drawLink(address, label ?? address, key);
  return groups.break !== undefined ? <br key={key} /> : whole;
}

/** Only addresses of the web are links; anything else is its text. */
function drawLink(address: string, label: string, key: number): ComponentChild {
  if (!/^(https?|mailto):/i.test(address)) return <span key={key}>{inline(label)}</span>;
  return (
    <a key={key} href={address} target="_blank" rel="noopener noreferrer">
      {label === address ? label : inline(label)}
    </a>
  );
}
