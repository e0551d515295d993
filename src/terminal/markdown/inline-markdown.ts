/**
 * Inline markup in a line of Markdown.
 *
 * Invariant: unclosed markup is plain text, so every prefix of a line can be shown.
 */
import { type Span, type Style, type StyledLine, span } from '../line/styled-line.ts';

/** Longer lines are not searched for markup; they are hardly prose. */
const longestLine = 4000;

export function inlineSpans(text: string, styles: readonly Style[] = []): StyledLine {
  if (text === '') return [];
  if (text.length > longestLine || !/[`*_[\\~]/.test(text)) return [span(text, ...styles)];
  const spans: Span[] = [];
  let plain = '';
  let at = 0;
  const settle = (): void => {
    if (plain !== '') spans.push(span(plain, ...styles));
    plain = '';
  };
  while (at < text.length) {
    const found = markAt(text, at);
    if (!found) {
      plain += text[at] ?? '';
      at += 1;
    } else if (found.kind === 'escaped') {
      plain += found.text;
      at = found.end;
    } else {
      settle();
      spans.push(...markedSpans(found, styles));
      at = found.end;
    }
  }
  settle();
  return spans;
}

type Mark =
  | { readonly kind: 'escaped' | 'code' | 'strong' | 'emphasis'; readonly text: string; readonly end: number }
  | { readonly kind: 'link'; readonly text: string; readonly target: string; readonly end: number };

function markedSpans(mark: Exclude<Mark, { kind: 'escaped' }>, styles: readonly Style[]): StyledLine {
  switch (mark.kind) {
    case 'link': {
      const target = mark.target === mark.text ? [] : [span(` (${mark.target})`, ...styles, 'faint')];
      return [...inlineSpans(mark.text, [...styles, 'link']), ...target];
    }
    case 'strong':
    case 'emphasis':
      return inlineSpans(mark.text, [...styles, mark.kind]);
    default:
      return [span(mark.text, ...styles, 'code')];
  }
}

const escaped = /\\([!-/:-@[-`{-~])/y;
const code = /(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/y;
const strong = /(\*\*|(?<!\w)__)(?=[^\s*_])(.*?[^\s])\1(?![*\w])/y;
const emphasis =
  /(?:\*(?=[^\s*])((?:[^*]|\*\*[^*]+\*\*)*?[^\s*])\*(?!\*)|(?<!\w)_(?=[^\s_])([^_]*?[^\s_])_(?!\w))/y;
const link = /\[([^[\]]+)\]\(([^()\s]+)(?:\s+"[^"]*")?\)/y;

function markAt(text: string, at: number): Mark | undefined {
  const match = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text) ?? undefined;
  };
  const found = (
    kind: 'escaped' | 'code' | 'strong' | 'emphasis',
    hit: RegExpExecArray,
    inner: string,
  ): Mark => ({
    kind,
    text: inner,
    end: at + hit[0].length,
  });
  switch (text[at]) {
    case '\\': {
      const hit = match(escaped);
      return hit && found('escaped', hit, hit[1] ?? '');
    }
    case '`': {
      const hit = match(code);
      return hit && found('code', hit, (hit[2] ?? '').replace(/^ (.*[^ ].*) $/, '$1'));
    }
    case '*':
    case '_': {
      const bold = match(strong);
      if (bold) return found('strong', bold, bold[2] ?? '');
      const hit = match(emphasis);
      return hit && found('emphasis', hit, hit[1] ?? hit[2] ?? '');
    }
    case '[': {
      const hit = match(link);
      return hit && { kind: 'link', text: hit[1] ?? '', target: hit[2] ?? '', end: at + hit[0].length };
    }
    default:
      return undefined;
  }
}
