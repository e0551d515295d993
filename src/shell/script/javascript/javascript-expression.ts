/**
 * Checks the expressions of a JavaScript program.
 *
 * Invariant: a call's target is a name or method from the tables, or an arrow function of the program. Node's own
 * objects never become values, and files are named by literals.
 */
import type { JavaScriptCursor } from './javascript-cursor.ts';
import { isListedName } from './javascript-listing.ts';
import {
  assigning,
  binary,
  javaScriptMethods,
  javaScriptModules,
  javascriptConstructors,
  members,
  refusedProperties,
} from './javascript-names.ts';
import type { JavaScriptScope, Operand } from './javascript-scope.ts';
import { globalOperand, isReserved, javaScriptValue } from './javascript-scope.ts';
import type { JavaScriptToken } from './javascript-token.ts';

/** Checks for nested constructs other than expressions. */
interface Nesting {
  /** Checks the block that is the body of an arrow function. */
  readonly block: () => void;
  /** Checks an expression inside a template. */
  readonly part: (code: string) => void;
  /** Inside a template, the position of a load in the whole text is unknown. */
  readonly place: 'program' | 'template';
}

export class JavaScriptExpressions {
  readonly #cursor: JavaScriptCursor;
  readonly #program: JavaScriptScope;
  readonly #nesting: Nesting;
  #depth = 0;

  constructor(cursor: JavaScriptCursor, scope: JavaScriptScope, nesting: Nesting) {
    this.#cursor = cursor;
    this.#program = scope;
    this.#nesting = nesting;
  }

  /** A name, or names destructured from an array or object; each becomes a value. */
  pattern(): readonly string[] {
    if (this.#cursor.take('[')) return this.#elements(']');
    if (this.#cursor.take('{')) return this.#elements('}');
    const { kind, text } = this.#cursor.token;
    if (kind !== 'name' || isReserved(text)) this.#cursor.fail();
    this.#cursor.skip();
    this.#program.locals.set(text, javaScriptValue);
    return [text];
  }

  /** The patterns of an array or object, up to its closing bracket. */
  #elements(close: ']' | '}'): readonly string[] {
    const names: string[] = [];
    while (!this.#cursor.take(close)) {
      if (this.#cursor.take(',')) continue;
      this.#cursor.take('...');
      if (close === '}' && this.#cursor.token.kind === 'name' && this.#cursor.peek(1) === ':') {
        this.#property();
        this.#cursor.expect(':');
      }
      names.push(...this.pattern());
      if (this.#cursor.take('=')) this.data(this.assignment());
    }
    return names;
  }

  sequence(): void {
    do this.data(this.assignment());
    while (this.#cursor.take(','));
  }

  /** Node's own objects are not values. */
  data(operand: Operand): void {
    if (operand.kind === 'namespace' || operand.kind === 'require' || operand.kind === 'member')
      this.#cursor.fail();
  }

  assignment(): Operand {
    this.#depth += 1;
    if (this.#depth > 200) this.#cursor.fail();
    const operand = this.#cursor.startsArrow() ? this.#arrow() : this.#conditional();
    this.#depth -= 1;
    return operand;
  }

  #arrow(): Operand {
    if (this.#cursor.is('(')) this.parameters();
    else this.pattern();
    this.#cursor.expect('=>');
    if (this.#cursor.is('{')) this.#nesting.block();
    else this.data(this.assignment());
    return { kind: 'arrow' };
  }

  /** The parameters of a function, in parentheses. */
  parameters(): void {
    this.#cursor.expect('(');
    while (!this.#cursor.take(')')) {
      this.#cursor.take('...');
      this.pattern();
      if (this.#cursor.take('=')) this.data(this.assignment());
      if (!this.#cursor.is(')')) this.#cursor.expect(',');
    }
  }

  #conditional(): Operand {
    const first = this.#binary();
    if (this.#cursor.take('?')) {
      this.data(first);
      this.data(this.assignment());
      this.#cursor.expect(':');
      this.data(this.assignment());
      return javaScriptValue;
    }
    return first;
  }

  #binary(): Operand {
    const first = this.#unary();
    if (this.#cursor.token.kind === 'symbol' && assigning.has(this.#cursor.token.text)) {
      const target = this.#cursor.before;
      if (first.kind !== 'value' || target?.text === ')') this.#cursor.fail();
      this.#cursor.skip();
      this.data(this.assignment());
      return javaScriptValue;
    }
    let result = first;
    while (
      binary.has(this.#cursor.token.text) &&
      (this.#cursor.token.kind === 'symbol' || this.#cursor.token.kind === 'name')
    ) {
      this.data(result);
      this.#cursor.skip();
      this.data(this.#unary());
      result = javaScriptValue;
    }
    return result;
  }

  #unary(): Operand {
    const isPrefix = ['!', '-', '+', '~', 'typeof', 'void', 'delete', '++', '--'].some((prefix) =>
      this.#cursor.take(prefix),
    );
    if (isPrefix) {
      this.data(this.#unary());
      return javaScriptValue;
    }
    const operand = this.#postfix(this.#primary());
    if (this.#cursor.is('++') || this.#cursor.is('--')) {
      this.data(operand);
      this.#cursor.skip();
    }
    return operand;
  }

  #primary(): Operand {
    const token = this.#cursor.token;
    if (token.kind === 'number' || token.kind === 'string' || token.kind === 'expression') {
      this.#cursor.skip();
      return javaScriptValue;
    }
    if (token.kind === 'template') return this.#template(token);
    if (this.#cursor.take('(')) {
      this.sequence();
      this.#cursor.expect(')');
      return javaScriptValue;
    }
    if (this.#cursor.is('[')) return this.#list('[', ']');
    if (this.#cursor.is('{')) return this.#object();
    if (this.#cursor.take('new')) return this.#construction();
    return this.#name();
  }

  #template({ parts }: JavaScriptToken): Operand {
    const before = this.#cursor.before;
    // After an operand it would be a call.
    if (before && (before.kind === 'name' ? !isReserved(before.text) : before.text === ')'))
      this.#cursor.fail();
    for (const part of parts ?? []) this.#nesting.part(part);
    this.#cursor.skip();
    return javaScriptValue;
  }

  #name(): Operand {
    const { kind, text } = this.#cursor.token;
    if (kind !== 'name') this.#cursor.fail();
    const local = this.#program.locals.get(text);
    const operand = local ?? globalOperand(text);
    if (operand === undefined) this.#cursor.fail();
    this.#cursor.skip();
    return operand;
  }

  #construction(): Operand {
    if (this.#cursor.is('Intl') && this.#cursor.peek(1) === '.') {
      this.#cursor.skip();
      const { member } = this.#formatter();
      return this.#callMember({ name: 'Intl', member });
    }
    if (
      !javascriptConstructors.has(this.#cursor.token.text) ||
      this.#program.locals.has(this.#cursor.token.text)
    )
      this.#cursor.fail();
    this.#cursor.skip();
    if (this.#cursor.is('(')) this.#list('(', ')');
    return javaScriptValue;
  }

  #formatter(): { readonly member: string } {
    const operand = this.#memberOf('Intl');
    return operand.kind === 'member' ? operand : this.#cursor.fail();
  }

  #object(): Operand {
    this.#cursor.expect('{');
    while (!this.#cursor.take('}')) {
      if (this.#cursor.take('...')) this.data(this.assignment());
      else if (this.#cursor.take('[')) {
        this.sequence();
        this.#cursor.expect(']');
        this.#cursor.expect(':');
        this.data(this.assignment());
      } else if (
        this.#cursor.token.kind === 'name' &&
        (this.#cursor.peek(1) === ',' || this.#cursor.peek(1) === '}')
      ) {
        this.data(this.#name());
      } else {
        this.#property();
        this.#cursor.expect(':');
        this.data(this.assignment());
      }
      if (!this.#cursor.is('}')) this.#cursor.expect(',');
    }
    return javaScriptValue;
  }

  /** The name of a property, which must not lead to code. */
  #property(): string {
    const { kind, text, value: string } = this.#cursor.token;
    if (kind !== 'name' && kind !== 'string' && kind !== 'number') this.#cursor.fail();
    const name = string ?? text;
    if (refusedProperties.has(name)) this.#cursor.fail();
    this.#cursor.skip();
    return name;
  }

  #list(open: string, close: string): Operand {
    this.#cursor.expect(open);
    while (!this.#cursor.take(close)) {
      if (this.#cursor.take(',')) continue;
      this.#cursor.take('...');
      this.#argument();
      if (!this.#cursor.is(close)) this.#cursor.expect(',');
    }
    return javaScriptValue;
  }

  /** Pure functions may be passed as arguments, as in `map(Number)` and `map(JSON.parse)`. */
  #argument(): void {
    const operand = this.assignment();
    const isPassed = operand.kind === 'member' && operand.name !== 'fs' && operand.name !== 'process';
    if (!isPassed) this.data(operand);
  }

  #postfix(from: Operand): Operand {
    let operand = from;
    for (;;) {
      const next = this.#suffix(operand);
      if (next === undefined) return operand;
      operand = next;
    }
  }

  #suffix(operand: Operand): Operand | undefined {
    switch (operand.kind) {
      case 'require':
        return this.#require();
      case 'namespace':
        return this.#cursor.is('.') ? this.#memberOf(operand.name) : undefined;
      case 'member':
        return this.#cursor.is('(') ? this.#callMember(operand) : undefined;
      case 'function':
        if (this.#cursor.is('.')) return this.#memberOfFunction();
        return this.#cursor.is('(') ? this.#list('(', ')') : this.#access();
      default:
        return this.#cursor.is('(') ? this.#cursor.fail() : this.#access();
    }
  }

  /** `Object.keys`, `Number.isInteger`: the function is an object with members. */
  #memberOfFunction(): Operand {
    const name = this.#cursor.before?.text ?? '';
    return members[name] && !this.#program.locals.has(name) ? this.#memberOf(name) : this.#cursor.fail();
  }

  /** An element or a property of a value. */
  #access(): Operand | undefined {
    if (this.#cursor.take('[')) {
      this.sequence();
      this.#cursor.expect(']');
      if (this.#cursor.is('(') || this.#isTemplate()) this.#cursor.fail();
      return javaScriptValue;
    }
    if (this.#cursor.take('?.')) {
      if (this.#cursor.is('(')) this.#cursor.fail();
      return this.#cursor.is('[') ? javaScriptValue : this.#dot();
    }
    return this.#cursor.take('.') ? this.#dot() : undefined;
  }

  #dot(): Operand {
    if (this.#cursor.token.kind !== 'name') this.#cursor.fail();
    const name = this.#property();
    if (this.#isTemplate()) this.#cursor.fail();
    if (!this.#cursor.is('(')) {
      // Overwriting a method would change a later call of that name.
      if (javaScriptMethods.has(name) && assigning.has(this.#cursor.token.text)) this.#cursor.fail();
      return javaScriptValue;
    }
    if (!javaScriptMethods.has(name)) this.#cursor.fail();
    return this.#list('(', ')');
  }

  /** After an operand a template is a call. */
  #isTemplate(): boolean {
    return this.#cursor.token.kind === 'template';
  }

  #memberOf(name: string): Operand {
    this.#cursor.expect('.');
    const member = this.#cursor.token.text;
    this.#cursor.skip();
    if (name === 'process' && member === 'stdout') return { kind: 'namespace', name: 'standardOutput' };
    const [callable, plain] = members[name] ?? [];
    if (plain?.has(member)) return javaScriptValue;
    if (!callable?.has(member)) {
      this.#cursor.back();
      this.#cursor.fail();
    }
    return { kind: 'member', name, member };
  }

  #callMember({ name, member }: { readonly name: string; readonly member: string }): Operand {
    if (!members[name]?.[0].has(member)) this.#cursor.fail();
    if (name === 'fs' && !this.#isListed(member)) this.#path();
    return this.#list('(', ')');
  }

  #isListed(member: string): boolean {
    const isReading = member === 'readFileSync' || member === 'statSync' || member === 'existsSync';
    const path = this.#program.locals.get('path');
    const isModule = path === undefined || (path.kind === 'namespace' && path.name === 'path');
    return isReading && isModule && isListedName(this.#cursor, this.#program.listing);
  }

  /** The first argument names a file by a literal, or is the standard input. */
  #path(): void {
    const { kind, value: path, text } = this.#cursor.after(1) ?? this.#cursor.token;
    const after = this.#cursor.peek(2);
    const isStandardInput = text === '0' || path === '/dev/stdin';
    if ((kind !== 'string' && text !== '0') || (after !== ')' && after !== ',')) this.#cursor.fail();
    if (path !== undefined && !isStandardInput) this.#program.paths.push(path);
    if (path === '/dev/stdin') this.#descriptor(this.#cursor.after(1));
  }

  /** The input is opened by its number: it may be a socket, which has no name. */
  #descriptor(token: JavaScriptToken | undefined): void {
    if (token === undefined || this.#nesting.place === 'template') this.#cursor.fail();
    this.#program.replacements.push({ at: token.at, end: token.end, text: '0' });
  }

  /** A builtin module of Node, or a JSON file. */
  #require(): Operand {
    const start = this.#cursor.before;
    this.#cursor.expect('(');
    const { kind, value: name } = this.#cursor.token;
    if (kind !== 'string' || name === undefined) this.#cursor.fail();
    this.#cursor.skip();
    this.#cursor.expect(')');
    const module = Object.hasOwn(javaScriptModules, name) ? javaScriptModules[name] : undefined;
    if (module !== undefined) return { kind: 'namespace', name: module };
    // Inside a template the position of the text is unknown.
    if (!name.endsWith('.json') || start === undefined || this.#nesting.place === 'template')
      this.#cursor.fail();
    const path = /^\.{0,2}\//.test(name) ? name : `./node_modules/${name}`;
    const end = this.#cursor.before?.end ?? start.end;
    const text = `JSON.parse(require('fs').readFileSync(${JSON.stringify(path)}, 'utf8'))`;
    this.#program.replacements.push({ at: start.at, end, text });
    this.#program.paths.push(path);
    return javaScriptValue;
  }
}
