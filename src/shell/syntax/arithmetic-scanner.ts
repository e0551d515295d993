/**
 * Parses the arithmetic of `$((…))`: whole numbers, variables, command substitutions and the operators that compute.
 *
 * Invariant: assignment, increment and subscripts are refused. Bash evaluates the text of a variable as arithmetic;
 * here a variable is a number or the calculation is refused, so that no text is ever evaluated.
 */
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import { type NestedScripts, type Scanned, sticky } from './scanned.ts';
import type { Calculation } from './shell-list.ts';

/** The calculation that starts at the dollar of `$((`. */
export function scanArithmetic(
  text: string,
  at: number,
  nested: NestedScripts,
): Scanned<Calculation> | ShellBoundary {
  const scanner = new ArithmeticScanner(text, at + 3, nested);
  const value = scanner.expression();
  if (isBoundary(value)) return value;
  const close = scanner.take(/\)\)/y);
  return close ? { value, end: scanner.at } : refuse(scanner.at);
}

function refuse(at: number): ShellBoundary {
  return boundary('expansion', at, 'of arithmetic, sums of numbers and variables are read');
}

/** The binary operators, from the loosest to the tightest. Each is followed by nothing that makes it another one. */
const levels: readonly RegExp[] = [
  /\|\|/y,
  /&&/y,
  /\|(?![|=])/y,
  /\^(?!=)/y,
  /&(?![&=])/y,
  /==|!=/y,
  /<=|>=|<(?![<=])|>(?![>=])/y,
  /(?:<<|>>)(?!=)/y,
  /\+(?![+=])|-(?![-=])/y,
  /\*(?![*=])|\/(?!=)|%(?!=)/y,
];

const maxDepth = 40;

class ArithmeticScanner {
  readonly #text: string;
  readonly #nested: NestedScripts;
  #depth = 0;
  at: number;

  constructor(text: string, at: number, nested: NestedScripts) {
    this.#text = text;
    this.at = at;
    this.#nested = nested;
  }

  /** Takes blanks and then what the expression matches. */
  take(expression: RegExp): string | undefined {
    const blanks = sticky(/[ \t\n]*/y, this.#text, this.at)?.length ?? 0;
    const found = sticky(expression, this.#text, this.at + blanks);
    if (found !== undefined) this.at += blanks + found.length;
    return found;
  }

  expression(): Calculation | ShellBoundary {
    this.#depth += 1;
    if (this.#depth > maxDepth) return refuse(this.at);
    const condition = this.#level(0);
    this.#depth -= 1;
    if (isBoundary(condition) || this.take(/\?/y) === undefined) return condition;
    const first = this.expression();
    if (isBoundary(first)) return first;
    if (this.take(/:/y) === undefined) return refuse(this.at);
    const second = this.expression();
    return isBoundary(second) ? second : operation('?', condition, first, second);
  }

  #level(index: number): Calculation | ShellBoundary {
    const operators = levels[index];
    if (operators === undefined) return this.#power();
    let left = this.#level(index + 1);
    for (;;) {
      if (isBoundary(left)) return left;
      const operator = this.take(operators);
      if (operator === undefined) return left;
      const right = this.#level(index + 1);
      left = isBoundary(right) ? right : operation(operator, left, right);
    }
  }

  /** To the right, `2**3**2` is `2**(3**2)`. */
  #power(): Calculation | ShellBoundary {
    const base = this.#unary();
    if (isBoundary(base) || this.take(/\*\*(?!=)/y) === undefined) return base;
    const exponent = this.#power();
    return isBoundary(exponent) ? exponent : operation('**', base, exponent);
  }

  #unary(): Calculation | ShellBoundary {
    const sign = this.take(/-(?![-=])|\+(?![+=])|!(?!=)|~/y);
    if (sign === undefined) return this.#operand();
    this.#depth += 1;
    const operand = this.#depth > maxDepth ? refuse(this.at) : this.#unary();
    this.#depth -= 1;
    return isBoundary(operand) ? operand : operation(sign, operand);
  }

  #operand(): Calculation | ShellBoundary {
    if (this.take(/\((?!\()/y) !== undefined) {
      const inner = this.expression();
      if (isBoundary(inner)) return inner;
      return this.take(/\)/y) === undefined ? refuse(this.at) : inner;
    }
    if (this.take(/\$\((?!\()/y) !== undefined) return this.#output();
    // A leading zero would make it octal; a base or a subscript would follow directly.
    const number = this.take(/(?:0x[0-9a-fA-F]{1,15}|0|[1-9]\d{0,17})(?![\w#[.])/y);
    if (number !== undefined) return { kind: 'number', value: BigInt(number) };
    const name = this.take(/\$?[A-Za-z_]\w*(?![\w[(])|\$\{[A-Za-z_]\w*\}/y);
    if (name === undefined) return refuse(this.at);
    // The next operator must not assign or count.
    const assigns = sticky(/[ \t\n]*(?:=(?!=)|\+\+|--|[-+*/%&|^]=|(?:<<|>>)=)/y, this.#text, this.at);
    return assigns === undefined ? { kind: 'name', name: name.replace(/\W/g, '') } : refuse(this.at);
  }

  #output(): Calculation | ShellBoundary {
    const script = this.#nested.parenthesised(this.at, 'output');
    if (isBoundary(script)) return script;
    this.at = script.end;
    return { kind: 'output', script: script.value };
  }
}

function operation(operator: string, ...operands: readonly Calculation[]): Calculation {
  return { kind: 'operation', operator, operands };
}
