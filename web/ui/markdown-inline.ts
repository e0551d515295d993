/**
 * What stands inside of a paragraph, a heading or a cell of Markdown, read into plain data.
 *
 * Invariant: nothing in it is ever HTML. A text is text, a link leads to the web; whatever is not understood is shown as it
 * was written. Text that breaks off, because more of it is coming, reads as far as it goes.
 */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis' | 'deleted'; readonly content: readonly Inline[] }
  | { readonly kind: 'link'; readonly address: string; readonly content: readonly Inline[] }
  | { readonly kind: 'break' };

/** A longer stretch without a line of its own is no prose, and is shown as it is. */
const longestProse = 10_000;

export function markdownInlines(text: string): readonly Inline[] {
  if (text.length > longestProse) return [plain(text)];
  const content: Inline[] = [];
  const found = rules.map((): RegExpExecArray | null | undefined => undefined);
  let at = 0;
  while (at < text.length) {
    const first = earliest(text, at, found);
    if (first === undefined) break;
    const { match, inline } = first;
    if (match.index > at) content.push(plain(text.slice(at, match.index)));
    content.push(inline(match));
    at = match.index + match[0].length;
  }
  return joined(at < text.length ? [...content, plain(text.slice(at))] : content);
}

type Rule = readonly [RegExp, (match: RegExpExecArray) => Inline];

const entities: Readonly<Record<string, string>> = {
  '&nbsp;': '\u00a0',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
};

/** What can begin inside a line; of two that begin at the same place the first one counts. */
const rules: readonly Rule[] = [
  [
    /(?<!`)(`{1,3})(?!`)(.{1,2000}?)(?<!`)\1(?!`)/gs,
    (match) => ({ kind: 'code', text: codeText(match[2] ?? '') }),
  ],
  [/\\([!-/:-@[-`{-~])/g, (match) => plain(match[1] ?? '')],
  [/ {2,}\n|\\\n/g, () => ({ kind: 'break' })],
  [/\*\*(?=\S)(.{1,2000}?)(?<=\S)\*\*/gs, (match) => marked('strong', match)],
  [/(?<![\w*])\*(?=\S)([^*]{1,2000}?)(?<=\S)\*(?!\w)/g, (match) => marked('emphasis', match)],
  [/(?<!\w)_(?=\S)([^_]{1,2000}?)(?<=\S)_(?!\w)/g, (match) => marked('emphasis', match)],
  [/~~(?=\S)([^~]{1,2000}?)~~/g, (match) => marked('deleted', match)],
  [
    /!?\[([^\]\n]{0,500})\]\(([^\s()<>"]{1,2000})(?:\s+"[^"\n]{0,500}")?\)/g,
    ({ 1: label = '', 2: address = '' }) => link(address, label),
  ],
  [/<(https?:\/\/[^\s<>"]{1,2000})>/g, ({ 1: address = '' }) => link(address, address)],
  [/https?:\/\/[^\s()<>"'`]{1,2000}[^\s()<>"'`.,;:!?]/g, ({ 0: address }) => link(address, address)],
  [/&(?:nbsp|lt|gt|amp|quot|#39);/g, ({ 0: entity }) => plain(entities[entity] ?? entity)],
];

/** The match that begins first at or after a place. `found` keeps those that lie ahead, so each is looked for once. */
function earliest(
  text: string,
  at: number,
  found: (RegExpExecArray | null | undefined)[],
): { readonly match: RegExpExecArray; readonly inline: Rule[1] } | undefined {
  let best: { match: RegExpExecArray; inline: Rule[1] } | undefined;
  for (const [index, [pattern, inline]] of rules.entries()) {
    const known = found[index];
    if (known === undefined || (known !== null && known.index < at)) {
      pattern.lastIndex = at;
      found[index] = pattern.exec(text);
    }
    const match = found[index];
    if (match && (best === undefined || match.index < best.match.index)) best = { match, inline };
  }
  return best;
}

function plain(text: string): Inline {
  return { kind: 'text', text };
}

function codeText(text: string): string {
  return text.trim() === '' ? text : text.replace(/^ (.*) $/s, '$1');
}

function marked(kind: 'strong' | 'emphasis' | 'deleted', { 1: inside = '' }: RegExpExecArray): Inline {
  return { kind, content: markdownInlines(inside) };
}

/** Only addresses of the web are links; of any other the label is shown. */
function link(address: string, label: string): Inline {
  if (!/^(https?|mailto):/i.test(address)) return plain(label);
  const content = label === address || label === '' ? [plain(address)] : markdownInlines(label);
  return { kind: 'link', address, content };
}

function joined(content: readonly Inline[]): readonly Inline[] {
  const all: Inline[] = [];
  for (const inline of content) {
    const last = all.at(-1);
    if (last?.kind === 'text' && inline.kind === 'text') all[all.length - 1] = plain(last.text + inline.text);
    else all.push(inline);
  }
  return all;
}
