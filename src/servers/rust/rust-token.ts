/**
 * The tokens of a Rust source text.
 *
 * Invariant: two texts with the same tokens are the same program. Comments are no tokens; documentation comments are,
 * since they are attributes. A text that ends inside a string or comment ends in one last token.
 */
export interface RustToken {
  readonly kind: 'word' | 'literal' | 'punctuation' | 'documentation';
  readonly text: string;
  /** Offsets into the text, the end behind the last character. */
  readonly start: number;
  readonly end: number;
}

export function rustTokens(text: string): readonly RustToken[] {
  const tokens: RustToken[] = [];
  let at = 0;
  while (at < text.length) {
    const [kind, end] = nextToken(text, at);
    if (kind !== 'blank') tokens.push({ kind, text: text.slice(at, end), start: at, end });
    at = Math.max(end, at + 1);
  }
  return tokens;
}

function nextToken(text: string, at: number): [RustToken['kind'] | 'blank', number] {
  const blank = match(/\s+/y, text, at);
  if (blank) return ['blank', at + blank.length];
  if (text.startsWith('//', at)) {
    const line = match(/[^\n]*/y, text, at) ?? '';
    return [/^\/\/(?:!|\/(?!\/))/.test(line) ? 'documentation' : 'blank', at + line.length];
  }
  if (text.startsWith('/*', at)) {
    const isDocumentation = /^\/\*(?:!|\*(?![*/]))/.test(text.slice(at, at + 4));
    return [isDocumentation ? 'documentation' : 'blank', commentEnd(text, at)];
  }
  const raw = match(/(?:br|cr|r)#*"/y, text, at);
  if (raw) {
    const close = `"${'#'.repeat(raw.length - raw.replaceAll('#', '').length)}`;
    const end = text.indexOf(close, at + raw.length);
    return ['literal', end < 0 ? text.length : end + close.length];
  }
  const quoted = match(/[bc]?"(?:[^"\\]|\\[\s\S])*"?/y, text, at);
  if (quoted) return ['literal', at + quoted.length];
  const character = match(/b?'(?:\\(?:u\{[^}']*\}|[\s\S])[^']*|[^'\\])'/uy, text, at);
  if (character) return ['literal', at + character.length];
  const word = match(/'?(?:r#)?[\p{L}\p{N}_]+/uy, text, at);
  return word ? ['word', at + word.length] : ['punctuation', at + 1];
}

/** Block comments nest. */
function commentEnd(text: string, start: number): number {
  let depth = 0;
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.index + 2;
  }
  return text.length;
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
