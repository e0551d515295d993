/**
 * The JavaScript programs that compute, read named files and print.
 *
 * Invariant: only programs of the grammar below are accepted. A call's target is a name or method from the tables, or
 * an arrow function of the program; Node's own objects never become values. Files are named by literals. The program
 * runs without code generation from strings, so that no value reached by a computed key can become code.
 */
import { type CheckedCode, UnreadCode } from '../unread-code.ts';
import { JavaScriptCursor } from './javascript-cursor.ts';
import { JavaScriptExpressions } from './javascript-expression.ts';
import { javascriptListing } from './javascript-listing.ts';
import { isReserved, JavaScriptScope, type Operand } from './javascript-scope.ts';

export function checkJavaScript(code: string): CheckedCode {
  const scope = new JavaScriptScope();
  try {
    new Statements(code, scope, 'program').program();
  } catch (thrown) {
    if (thrown instanceof UnreadCode) return { kind: 'unread', from: thrown.from };
    throw thrown;
  }
  return { kind: 'reads', paths: scope.paths, code: scope.rewrite(code) };
}

class Statements {
  readonly #cursor: JavaScriptCursor;
  readonly #program: JavaScriptScope;
  readonly #expressions: JavaScriptExpressions;

  constructor(code: string, scope: JavaScriptScope, place: 'program' | 'template') {
    this.#cursor = new JavaScriptCursor(code);
    this.#program = scope;
    if (place === 'program') scope.listing = javascriptListing(this.#cursor.tokens);
    this.#expressions = new JavaScriptExpressions(this.#cursor, scope, {
      block: () => this.#block(),
      part: (part) => new Statements(part, scope, 'template').expression(),
      place,
    });
  }

  program(): void {
    while (this.#cursor.token.kind !== 'end') this.#statement();
  }

  expression(): void {
    this.#expressions.sequence();
    if (this.#cursor.token.kind !== 'end') this.#cursor.fail();
  }

  #statement(): void {
    const { token } = this.#cursor;
    const special = token.kind === 'name' || token.kind === 'symbol' ? this.#special(token.text) : undefined;
    if (special) special();
    else {
      this.#expressions.sequence();
      this.#endStatement();
    }
  }

  /** The check of a statement other than an expression, by its first token. */
  #special(first: string): (() => void) | undefined {
    switch (first) {
      case ';':
      case 'continue':
      case 'break':
        return () => {
          this.#cursor.skip();
          if (first !== ';') this.#endStatement();
        };
      case '{':
        return () => this.#block();
      case 'const':
      case 'let':
      case 'var':
        return () => {
          this.#declarations();
          this.#endStatement();
        };
      case 'if':
        return () => this.#condition();
      case 'for':
        return () => this.#loop();
      case 'try':
        return () => this.#attempt();
      case 'return':
        return () => this.#answer();
      case 'function':
        return () => this.#definition();
      case 'switch':
        return () => this.#choice();
      case 'throw':
        return () => {
          this.#cursor.skip();
          this.#expressions.sequence();
          this.#endStatement();
        };
      default:
        return undefined;
    }
  }

  #condition(): void {
    this.#cursor.expect('if');
    this.#parenthesised();
    this.#statement();
    if (this.#cursor.take('else')) this.#statement();
  }

  #answer(): void {
    this.#cursor.expect('return');
    const { token } = this.#cursor;
    if (token.kind !== 'end' && token.text !== ';' && token.text !== '}') this.#expressions.sequence();
    this.#endStatement();
  }

  #endStatement(): void {
    if (
      this.#cursor.take(';') ||
      this.#cursor.is('}') ||
      this.#cursor.token.kind === 'end' ||
      this.#cursor.token.lineBefore
    )
      return;
    this.#cursor.fail();
  }

  #block(): void {
    this.#cursor.expect('{');
    while (!this.#cursor.take('}')) {
      if (this.#cursor.token.kind === 'end') this.#cursor.fail();
      this.#statement();
    }
  }

  /** A function with a name, which means nothing inside it, so that it cannot call itself. */
  #definition(): void {
    this.#cursor.expect('function');
    const { kind, text } = this.#cursor.token;
    if (kind !== 'name' || isReserved(text)) this.#cursor.fail();
    this.#cursor.skip();
    this.#expressions.parameters();
    this.#block();
    this.#program.locals.set(text, { kind: 'function' });
  }

  #choice(): void {
    this.#cursor.expect('switch');
    this.#parenthesised();
    this.#cursor.expect('{');
    while (!this.#cursor.take('}')) {
      if (this.#cursor.token.kind === 'end') this.#cursor.fail();
      if (this.#cursor.take('case')) this.#expressions.sequence();
      else if (!this.#cursor.take('default')) {
        this.#statement();
        continue;
      }
      this.#cursor.expect(':');
    }
  }

  /** Only loops over the members of something finite, and loops that count. */
  #loop(): void {
    this.#cursor.expect('for');
    this.#cursor.expect('(');
    if (!this.#cursor.take('const') && !this.#cursor.take('let')) this.#cursor.expect('var');
    if (this.#cursor.peek(1) === '=') {
      this.#counting();
      return;
    }
    this.#expressions.pattern();
    if (!this.#cursor.take('of')) this.#cursor.expect('in');
    this.#expressions.data(this.#expressions.assignment());
    this.#cursor.expect(')');
    this.#statement();
  }

  /** `i = …; i < …; i++`, in either direction; the body must leave the counter alone. */
  #counting(): void {
    const counter = this.#cursor.token.text;
    this.#cursor.back();
    this.#declarations();
    this.#cursor.expect(';');
    const comparison = this.#cursor.peek(1);
    const isUp = comparison === '<' || comparison === '<=';
    if (!this.#cursor.is(counter) || !(isUp || comparison === '>' || comparison === '>='))
      this.#cursor.fail();
    const condition = this.#cursor.index;
    this.#expressions.sequence();
    if (
      this.#cursor.tokens
        .slice(condition, this.#cursor.index)
        .some(({ text }) => /^(Infinity|MAX_\w+)$/.test(text))
    )
      this.#cursor.fail();
    this.#cursor.expect(';');
    const step = this.#cursor.is(counter) ? this.#cursor.peek(1) : this.#cursor.peek(0);
    if (!(isUp ? /^(\+\+|\+=)$/ : /^(--|-=)$/).test(step)) this.#cursor.fail();
    this.#expressions.sequence();
    this.#cursor.expect(')');
    const body = this.#cursor.index;
    this.#statement();
    const tokens = this.#cursor.tokens.slice(body, this.#cursor.index);
    const isChanged = tokens.some(({ text }, index) => {
      const around = [tokens[index - 1]?.text ?? '', tokens[index + 1]?.text ?? ''];
      return text === counter && around.some((each) => /^(\+\+|--|[-+*/%]?=)$/.test(each));
    });
    if (isChanged) this.#cursor.fail();
  }

  #attempt(): void {
    this.#cursor.expect('try');
    this.#block();
    if (this.#cursor.take('catch')) {
      if (this.#cursor.take('(')) {
        this.#expressions.pattern();
        this.#cursor.expect(')');
      }
      this.#block();
      if (!this.#cursor.is('finally')) return;
    }
    this.#cursor.expect('finally');
    this.#block();
  }

  #parenthesised(): void {
    this.#cursor.expect('(');
    this.#expressions.sequence();
    this.#cursor.expect(')');
  }

  #declarations(): void {
    this.#cursor.skip();
    do {
      const name =
        this.#cursor.token.kind === 'name' && this.#cursor.peek(1) === '='
          ? this.#cursor.token.text
          : undefined;
      const names = this.#expressions.pattern();
      if (!this.#cursor.take('=')) continue;
      const given = this.#expressions.assignment();
      this.#declare(name, names, given);
    } while (this.#cursor.take(','));
  }

  #declare(name: string | undefined, names: readonly string[], given: Operand): void {
    if (given.kind === 'namespace') {
      // `const fs = require('fs')` or `const { readFileSync } = require('fs')`.
      if (name !== undefined) this.#program.locals.set(name, given);
      else
        for (const member of names)
          this.#program.locals.set(member, { kind: 'member', name: given.name, member });
      return;
    }
    if (given.kind === 'arrow' && name !== undefined) {
      this.#program.locals.set(name, { kind: 'function' });
      return;
    }
    this.#expressions.data(given);
  }
}
