/**
 * The sed scripts that only print: addresses, the commands p P d s y q Q n N = l G g h H x z F, b and t to the end, text
 * to add, and the loop that joins lines.
 *
 * Invariant: no accepted script writes, reads another file, runs a command or loops without reading. If
 * implementations disagree about the end of an expression (its delimiter inside brackets), both readings must be
 * harmless.
 */
import { boundary, type ShellBoundary } from '../boundary.ts';
import { optionRule, type ReadCall } from '../command/option-rule.ts';
import type { ShellWord } from '../syntax/shell-list.ts';

export const sedRule = optionRule({
  options: `-nErsuz -e= -l=# --debug --line-length=# --quiet --silent --regexp-extended --separate --null-data --unbuffered --expression=
    --posix --help --version`,
  operands: { leading: ['text'], unless: ['e', 'expression'], rest: 'file' },
  order: 'options-first',
  also: refuseScripts,
});

function refuseScripts({ options, operands }: ReadCall): ShellBoundary | undefined {
  const given = options.filter(({ name }) => name === 'e' || name === 'expression');
  if (given.length === 0) {
    const script = operands[0];
    if (script && isUnwritten(script, /^[\d,;pqd$ {}!]+$/))
      return boundary('script', script.at, 'a sed script must be written out');
    return script && refuse(script.text, script.at);
  }
  return refuse(given.map(({ value }) => value ?? '').join('\n'), given[0]?.word.at ?? 0);
}

/**
 * Whether a program is not known before the run. One that only counts or selects by listed numbers and names is read
 * with `1` in their place, and read again when they are known.
 */
export function isUnwritten({ opaque, text }: ShellWord, selecting: RegExp): boolean {
  return opaque !== undefined && (opaque === 'text' || /^1*$/.test(text) || !selecting.test(text));
}

function refuse(script: string, at: number): ShellBoundary | undefined {
  const reader = new SedReader(script, 'bracketed');
  const outcome = reader.reads();
  const other = new SedReader(script, 'plain').reads();
  if (outcome === 'read' && other !== 'unread') return undefined;
  return boundary('script', at, `the sed script is not read from "${reader.rest}"`);
}

/** `invalid`: sed itself would refuse the script there, before it does anything. */
type SedOutcome = 'read' | 'unread' | 'invalid';

class SedReader {
  readonly #script: string;
  readonly #delimiters: 'bracketed' | 'plain';
  readonly #labels = new Set<string>();
  #at = 0;
  #depth = 0;
  #readsOn = false;
  #substitutes = false;
  #restarts = false;
  #isInvalid = false;

  /** `bracketed`: a delimiter inside brackets is text; `plain`: it ends the expression. */
  constructor(script: string, delimiters: 'bracketed' | 'plain') {
    this.#script = script;
    this.#delimiters = delimiters;
  }

  /** The text at which reading stopped. */
  get rest(): string {
    return this.#script.slice(this.#at, this.#at + 20);
  }

  reads(): SedOutcome {
    for (;;) {
      this.#skip(/[\s;]+/y);
      if (this.#at >= this.#script.length) {
        // Restarting without reading ends only if every round removes something.
        return this.#depth === 0 && !(this.#restarts && this.#substitutes) ? 'read' : 'unread';
      }
      const start = this.#at;
      if (this.#skip(/#[^\n]*/y)) continue;
      if (!this.#command()) {
        this.#at = start;
        return this.#isInvalid ? 'invalid' : 'unread';
      }
    }
  }

  #command(): boolean {
    if (this.#skip(/\}/y)) {
      this.#depth -= 1;
      return this.#depth >= 0 && this.#ends();
    }
    if (this.#script[this.#at] === ':') return this.#label();
    const start = this.#at;
    if (!this.#addresses()) return false;
    const address = this.#script.slice(start, this.#at);
    const negation = this.#at;
    this.#skip(/[ \t]*(![ \t]*)?/y);
    if (this.#skip(/\{/y)) {
      this.#depth += 1;
      return true;
    }
    // Without a label, the rest of the script is skipped.
    if (this.#skip(/[btT](?=[ \t]*(?:[;\n}]|$))/y)) return this.#ends();
    if (this.#skip(/b/y)) return this.#branch(address + this.#script.slice(negation, this.#at - 1).trim());
    if (this.#skip(/[aic](?![a-z]*\n)/y)) return this.#text();
    if (this.#skip(/N/y)) {
      this.#readsOn = true;
      return this.#ends();
    }
    if (this.#skip(/D/y)) {
      this.#restarts = true;
      return this.#ends();
    }
    if (this.#skip(/[pPdn=GghHxzF]/y)) return this.#ends();
    if (this.#skip(/[qQl][ \t]*\d*/y)) return this.#ends();
    if (this.#skip(/s/y)) {
      this.#substitutes = true;
      return this.#twoParts('expression') && this.#flags() && this.#ends();
    }
    return this.#skip(/y/y) && this.#twoParts('characters') && this.#ends();
  }

  #label(): boolean {
    const name = /^:[ \t]*([A-Za-z]\w*)[ \t]*(?=[;\n]|$)/.exec(this.#script.slice(this.#at));
    if (!name?.[1]) return false;
    this.#labels.add(name[1]);
    this.#at += name[0].length;
    return true;
  }

  /** The only accepted loop: back to a label on every line but the last, after reading. */
  #branch(condition: string): boolean {
    const name = /^[ \t]*([A-Za-z]\w*)(?=[;\n}]|$)/.exec(this.#script.slice(this.#at));
    if (!name?.[1] || condition !== '$!' || !this.#labels.has(name[1]) || !this.#readsOn) return false;
    this.#at += name[0].length;
    return this.#ends();
  }

  /** Text up to the end of its line. A backslash at its end would include the next line. */
  #text(): boolean {
    const text = /^[ \t]*\\?[^\n]*/.exec(this.#script.slice(this.#at))?.[0] ?? '';
    if (text.trim() === '' || /\\$/.test(text)) return false;
    this.#at += text.length;
    return true;
  }

  /** Whether a command ends here: at the end, a separator, a closing brace or a comment. */
  #ends(): boolean {
    this.#skip(/[ \t]+/y);
    const next = this.#script[this.#at];
    if (next === undefined || ';\n}#'.includes(next)) return true;
    this.#isInvalid = /[^\sA-Za-z]/.test(next);
    return false;
  }

  #addresses(): boolean {
    if (!this.#address()) return this.#script[this.#at] !== '/' && this.#script[this.#at] !== '\\';
    const comma = this.#at;
    if (!this.#skip(/[ \t]*,[ \t]*/y)) return true;
    if (this.#skip(/[+~]\d+/y) || this.#address()) return true;
    this.#at = comma;
    return false;
  }

  #address(): boolean {
    if (this.#skip(/\d+(~\d+)?|\$/y)) return true;
    const delimiter = this.#skip(/\//y)
      ? '/'
      : this.#skip(/\\(?=[|,#%@!])/y)
        ? this.#script[this.#at++]
        : undefined;
    return delimiter !== undefined && this.#upTo(delimiter, 'expression') && (this.#skip(/[IM]*/y) || true);
  }

  #twoParts(first: 'expression' | 'characters'): boolean {
    const delimiter = this.#script[this.#at];
    if (delimiter === undefined || /[\s\\A-Za-z0-9;{}]/.test(delimiter)) return false;
    this.#at += 1;
    return (
      this.#upTo(delimiter, first) && this.#upTo(delimiter, first === 'expression' ? 'replacement' : first)
    );
  }

  /** Skips to the delimiter, which must not be inside brackets in an expression. */
  #upTo(delimiter: string, kind: 'expression' | 'replacement' | 'characters'): boolean {
    const start = this.#at;
    for (; this.#at < this.#script.length; this.#at++) {
      const character = this.#script[this.#at];
      if (character === '\n') return false;
      if (character === delimiter) {
        const part = this.#script.slice(start, this.#at);
        const isInside = kind === 'expression' && this.#delimiters === 'bracketed' && hasOpenBracket(part);
        if (isInside) continue;
        this.#at += 1;
        return true;
      }
      if (character === '\\') {
        this.#at += 1;
        // In a replacement it is the line end itself.
        if (this.#script[this.#at] === '\n' && kind !== 'replacement') return false;
      }
    }
    return false;
  }

  #flags(): boolean {
    // A remaining letter (w, e, or an unknown one) is refused by #ends.
    this.#skip(/[gpiIM0-9]+/y);
    return true;
  }

  #skip(expression: RegExp): boolean {
    expression.lastIndex = this.#at;
    const length = expression.exec(this.#script)?.[0].length ?? 0;
    this.#at += length;
    return length > 0;
  }
}

/** Whether a bracket expression is open at the end of a supposed regular expression. */
export function hasOpenBracket(expression: string): boolean {
  for (let index = 0; index < expression.length; index++) {
    if (expression[index] === '\\') index += 1;
    else if (expression[index] === '[') {
      // A closing bracket at the start, negated or not, is a member.
      const start = expression[index + 1] === '^' ? index + 2 : index + 1;
      const close = closingBracket(expression, expression[start] === ']' ? start + 1 : start);
      if (close < 0) return true;
      index = close;
    }
  }
  return false;
}

/** The end of a bracket expression; classes such as [:alpha:] inside it have their own brackets. */
function closingBracket(expression: string, from: number): number {
  for (let index = from; index < expression.length; index++) {
    const marker = expression[index + 1];
    if (expression[index] === ']') return index;
    if (expression[index] === '[' && marker !== undefined && ':.='.includes(marker)) {
      const end = expression.indexOf(`${marker}]`, index + 2);
      if (end < 0) return -1;
      index = end + 1;
    }
  }
  return -1;
}
