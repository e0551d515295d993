/**
 * Checks the expressions of a Python program.
 *
 * Invariant: a call's target is a name or method from the tables, or a lambda of the program; functions that a
 * function calls are given literally; modules never become values, and files are named by literals.
 */
import { isListedArgument } from './listed-argument.ts';
import type { PythonCursor } from './python-cursor.ts';
import {
  calledArguments,
  callers,
  constructors,
  fileReaders,
  openers,
  pythonMethods,
  readingMethods,
  refusedAttribute,
} from './python-names.ts';
import {
  isKeyword,
  isModule,
  isType,
  memberOf,
  type PythonOperand,
  type PythonScope,
  pythonValue,
} from './python-scope.ts';

const binary: ReadonlySet<string> = new Set(
  '+ - * / // % ** == != < > <= >= & | ^ << >> and or in is not'.split(' '),
);

export class PythonExpressions {
  readonly #cursor: PythonCursor;
  readonly #scope: PythonScope;
  readonly #part: (code: string) => void;
  #depth = 0;

  /** `part` checks an expression inside an f-string. */
  constructor(cursor: PythonCursor, scope: PythonScope, part: (code: string) => void) {
    this.#cursor = cursor;
    this.#scope = scope;
    this.#part = part;
  }

  /** One or more expressions, separated by commas. */
  list(): PythonOperand {
    let operand = this.starred();
    while (this.#cursor.take(',')) {
      this.data(operand);
      operand = pythonValue;
      if (this.#endsList()) break;
      this.data(this.starred());
    }
    return operand;
  }

  starred(): PythonOperand {
    if (!this.#cursor.take('*')) this.#cursor.take('**');
    return this.expression();
  }

  /** Modules and functions are not values. */
  data(operand: PythonOperand): void {
    if (operand.kind === 'module' || operand.kind === 'function' || operand.kind === 'builtin')
      this.#cursor.fail();
  }

  expression(): PythonOperand {
    this.#depth += 1;
    if (this.#depth > 100) this.#cursor.fail();
    const operand = this.#cursor.is('lambda') ? this.#lambda() : this.#conditional();
    this.#depth -= 1;
    return operand;
  }

  #endsList(): boolean {
    return [')', ']', '}', '=', ':', ';', '\n', 'for', 'in'].some((text) => this.#cursor.is(text));
  }

  #lambda(): PythonOperand {
    this.#cursor.expect('lambda');
    while (!this.#cursor.take(':')) {
      if (!this.#cursor.take('*')) this.#cursor.take('**');
      this.#cursor.name();
      if (this.#cursor.take('=')) this.data(this.expression());
      if (!this.#cursor.is(':')) this.#cursor.expect(',');
    }
    this.data(this.expression());
    return { kind: 'lambda' };
  }

  #conditional(): PythonOperand {
    const first = this.#binary();
    if (this.#cursor.is(':=') || !this.#cursor.take('if')) return first;
    this.data(first);
    this.data(this.#binary());
    this.#cursor.expect('else');
    this.data(this.expression());
    return pythonValue;
  }

  #binary(): PythonOperand {
    let operand = this.#unary();
    for (;;) {
      const { kind, text } = this.#cursor.token;
      if ((kind !== 'symbol' && kind !== 'name') || !binary.has(text)) return operand;
      this.data(operand);
      this.#cursor.skip();
      // `not in` and `is not` are operators of two words.
      if (text === 'not' && !this.#cursor.take('in')) this.#cursor.fail();
      if (text === 'is') this.#cursor.take('not');
      this.data(this.#unary());
      operand = pythonValue;
    }
  }

  #unary(): PythonOperand {
    if (['not', '-', '+', '~'].some((prefix) => this.#cursor.take(prefix))) {
      this.data(this.#unary());
      return pythonValue;
    }
    let operand = this.#primary();
    for (;;) {
      const next = this.#suffix(operand);
      if (next === undefined) return operand;
      operand = next;
    }
  }

  #primary(): PythonOperand {
    const { kind, text } = this.#cursor.token;
    if (kind === 'number') this.#cursor.skip();
    else if (kind === 'string') this.#strings();
    else if (text === '(' || text === '[' || text === '{') this.#display();
    else if (kind === 'name' && !isOperatorWord(text)) return this.#name(text);
    else this.#cursor.fail();
    return pythonValue;
  }

  /** Adjacent strings are concatenated. */
  #strings(): void {
    for (let token = this.#cursor.takeKind('string'); token; token = this.#cursor.takeKind('string')) {
      for (const part of token.parts ?? []) this.#part(part);
    }
  }

  #name(text: string): PythonOperand {
    const operand = this.#scope.resolve(text);
    if (operand === undefined || text.startsWith('__')) this.#cursor.fail();
    this.#cursor.skip();
    return operand;
  }

  /** A tuple, list, set, dictionary, generator, or an expression in parentheses. */
  #display(): void {
    const close = { '(': ')', '[': ']', '{': '}' }[this.#cursor.token.text] ?? '';
    this.#cursor.skip();
    while (!this.#cursor.take(close)) {
      this.#element();
      if (this.#cursor.is('for')) this.#comprehension();
      if (!this.#cursor.is(close)) this.#cursor.expect(',');
    }
  }

  #element(): void {
    this.data(this.#named());
    if (this.#cursor.take(':')) this.data(this.expression());
  }

  /** An expression, or an assignment expression: `(n := 1)`. */
  #named(): PythonOperand {
    if (this.#cursor.after(1)?.text === ':=') {
      this.#cursor.name();
      this.#cursor.expect(':=');
    }
    return this.starred();
  }

  #comprehension(): void {
    while (this.#cursor.take('for')) {
      this.targets();
      this.#cursor.expect('in');
      this.data(this.#binary());
      while (this.#cursor.take('if')) this.data(this.#binary());
    }
  }

  /** The names a loop binds. */
  targets(): void {
    for (;;) {
      this.#cursor.take('*');
      if (this.#cursor.take('(')) {
        this.targets();
        this.#cursor.expect(')');
      } else if (!this.#scope.bind(this.#cursor.name(), pythonValue)) this.#cursor.fail();
      if (!this.#cursor.take(',') || this.#cursor.is('in')) return;
    }
  }

  #suffix(operand: PythonOperand): PythonOperand | undefined {
    if (this.#cursor.is('.')) return this.#attribute(operand);
    if (this.#cursor.is('(')) return this.#call(operand);
    if (!this.#cursor.is('[')) return undefined;
    this.data(operand);
    this.#subscript();
    return pythonValue;
  }

  #subscript(): void {
    this.#cursor.expect('[');
    while (!this.#cursor.take(']')) {
      if (this.#cursor.take(':') || this.#cursor.take(',')) continue;
      this.data(this.expression());
    }
    // The value of a key is never called.
    if (this.#cursor.is('(')) this.#cursor.fail();
  }

  #attribute(operand: PythonOperand): PythonOperand {
    this.#cursor.expect('.');
    const { text } = this.#cursor.token;
    if (operand.kind === 'module') {
      const member = memberOf(operand.name, text);
      if (member === undefined) this.#cursor.fail();
      this.#cursor.skip();
      return operand.name === 'sys' && (text === 'stdout' || text === 'stderr') ? this.#stream() : member;
    }
    if (operand.kind === 'function' && isModule(`${operand.module}.${operand.name}`)) {
      const member = memberOf(`${operand.module}.${operand.name}`, text);
      if (member === undefined) this.#cursor.fail();
      this.#cursor.skip();
      return member;
    }
    if (operand.kind === 'builtin') return this.#methodOfType(operand.name);
    this.data(operand);
    return this.#method(operand);
  }

  /** `sys.stdout.write(…)`; the stream itself is a value that is printed to. */
  #stream(): PythonOperand {
    if (!this.#cursor.is('.')) return pythonValue;
    this.#cursor.skip();
    const method = this.#cursor.name();
    if (method !== 'write' && method !== 'flush') this.#cursor.fail();
    this.#arguments('none');
    return pythonValue;
  }

  /** `str.strip` as a function, and `dict.fromkeys(…)`. */
  #methodOfType(type: string): PythonOperand {
    const method = this.#cursor.name();
    if (!isType(type) || !(pythonMethods.has(method) || method === 'fromkeys' || method === 'maketrans'))
      this.#cursor.fail();
    return { kind: 'type' };
  }

  #method(operand: PythonOperand): PythonOperand {
    const name = this.#cursor.name();
    if (refusedAttribute.test(name) && name !== '__name__' && name !== '__version__') this.#cursor.fail();
    const writesPath = name === 'replace' || name === 'copy';
    if (!this.#cursor.is('(')) return writesPath ? this.#cursor.fail() : pythonValue;
    const isReading = operand.kind === 'path' && readingMethods.has(name);
    if (!pythonMethods.has(name) && !isReading) this.#cursor.fail();
    const count = this.#arguments('none');
    // Of a path, `replace` and `copy` take one argument and write; of text, two, and of a collection, none.
    if (writesPath && count !== (name === 'replace' ? Math.max(2, count) : 0)) this.#cursor.fail();
    return pythonValue;
  }

  #call(operand: PythonOperand): PythonOperand {
    switch (operand.kind) {
      case 'builtin':
        if (operand.name === 'open') return this.#open();
        this.#arguments(callers.has(operand.name) ? 'first' : 'none');
        return pythonValue;
      case 'function':
        return this.#callFunction(operand.module, operand.name);
      case 'module':
        if (!constructors.has(operand.name)) this.#cursor.fail();
        this.#arguments('none');
        return pythonValue;
      case 'lambda':
      case 'type':
        this.#arguments('none');
        return pythonValue;
      default:
        return this.#cursor.fail();
    }
  }

  #callFunction(module: string, name: string): PythonOperand {
    const full = `${module}.${name}`;
    if (fileReaders.has(full)) {
      const { value: path } = this.#cursor.after(1) ?? {};
      const isWhole = [')', ','].includes(this.#cursor.after(2)?.text ?? '');
      const isEmpty = this.#cursor.after(1)?.text === ')';
      if (!isEmpty && (path === undefined || !isWhole)) this.#cursor.fail();
      if (path !== undefined) this.#scope.paths.push(path.replace(/[*?[].*$/s, '') || '.');
    }
    this.#arguments(openers.has(full) ? 'modes' : callers.has(name) ? 'first' : 'none');
    return full === 'pathlib.Path' ? { kind: 'path' } : pythonValue;
  }

  /** `open` of a named file, for reading. */
  #open(): PythonOperand {
    const named = this.#cursor.after(1);
    const isWhole = (ahead: number): boolean => [')', ','].includes(this.#cursor.after(ahead)?.text ?? '');
    if (named?.value !== undefined && isWhole(2)) {
      if (named.value === '/dev/stdin' && this.#scope.depth > 0) this.#cursor.fail();
      if (named.value === '/dev/stdin') this.#scope.inputs.push({ at: named.at, length: named.text.length });
      else this.#scope.paths.push(named.value);
    } else if (named?.text === '0' && isWhole(2)) {
      // Descriptor 0 is standard input.
    } else if (
      ['sys', '.', 'argv', '['].every((text, index) => this.#cursor.after(index + 1)?.text === text) &&
      this.#cursor.after(5)?.kind === 'number' &&
      this.#cursor.after(6)?.text === ']' &&
      isWhole(7)
    ) {
      this.#scope.readsArguments = true;
    } else if (!isListedArgument(this.#cursor, this.#scope)) this.#cursor.fail();
    this.#arguments('modes');
    return pythonValue;
  }

  /** Checks the arguments of a call and returns the number of positional ones. */
  #arguments(called: 'first' | 'none' | 'modes'): number {
    let count = 0;
    this.#cursor.expect('(');
    while (!this.#cursor.take(')')) {
      const name = this.#cursor.after(1)?.text === '=' ? this.#cursor.name() : undefined;
      if (name !== undefined) this.#cursor.expect('=');
      else count += 1;
      if (called === 'modes') this.#mode(name, count);
      const isCalled = (called === 'first' && count === 1) || calledArguments.test(name ?? '');
      const operand = this.#named();
      if (isCalled ? !isCallable(operand) : !isPassed(operand)) this.#cursor.fail();
      if (this.#cursor.is('for')) this.#comprehension();
      if (!this.#cursor.is(')')) this.#cursor.expect(',');
    }
    return count;
  }

  /** The other arguments of `open`: mode and encoding. */
  #mode(name: string | undefined, position: number): void {
    const { value: text } = this.#cursor.token;
    if (name === undefined && position === 1) return;
    if (name === 'encoding' || name === 'errors' || name === 'newline') return;
    const isMode = name === 'mode' || (name === undefined && position === 2);
    if (!isMode || text === undefined || !/^(r|rb|rt|br|tr|r:\*?|r:(gz|bz2|xz))$/.test(text))
      this.#cursor.fail();
    if (![')', ','].includes(this.#cursor.after(1)?.text ?? '')) this.#cursor.fail();
  }
}

/** What a function may call. */
function isCallable(operand: PythonOperand): boolean {
  if (operand.kind === 'builtin') return operand.name !== 'open' && !callers.has(operand.name);
  if (operand.kind === 'function') return !fileReaders.has(`${operand.module}.${operand.name}`);
  return operand.kind === 'lambda' || operand.kind === 'type';
}

/** What may be passed to a function that does not call it: values, and types to compare with or to construct. */
function isPassed(operand: PythonOperand): boolean {
  if (operand.kind === 'builtin') return operand.name !== 'open';
  return operand.kind !== 'module' && operand.kind !== 'function';
}

function isOperatorWord(text: string): boolean {
  return isKeyword(text) && text !== 'True' && text !== 'False' && text !== 'None';
}
