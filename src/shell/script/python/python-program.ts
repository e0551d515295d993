/**
 * The Python programs that compute, read named files and print.
 *
 * Invariant: only programs of the grammar in these files are accepted; modules, functions and methods come from the
 * tables. The program runs isolated, so that its imports are never files of the workspace.
 */
import { UnreadCode } from '../unread-code.ts';
import { PythonCursor } from './python-cursor.ts';
import { PythonExpressions } from './python-expression.ts';
import { guardFor } from './python-guard.ts';
import { isModule, memberOf, PythonScope, pythonValue } from './python-scope.ts';
import { pythonTokens } from './python-token.ts';

export type CheckedPython =
  | {
      readonly kind: 'reads';
      readonly paths: readonly string[];
      readonly readsArguments: boolean;
      /** The program, guarded if it opens listed files. */
      readonly code: string;
    }
  | { readonly kind: 'unread'; readonly from: string };

export function checkPython(code: string): CheckedPython {
  const scope = new PythonScope();
  try {
    new Statements(code, scope).program();
  } catch (thrown) {
    if (thrown instanceof UnreadCode) return { kind: 'unread', from: thrown.from };
    throw thrown;
  }
  const { paths, directories, readsArguments } = scope;
  return {
    kind: 'reads',
    paths: [...paths, ...directories],
    readsArguments,
    code: guardFor({ directories, files: paths }) + withInput(code, scope.inputs),
  };
}

/** The program with the number of its input in place of its name. */
function withInput(code: string, inputs: PythonScope['inputs']): string {
  return inputs.reduceRight(
    (text, { at, length }) => `${text.slice(0, at)}0${text.slice(at + length)}`,
    code,
  );
}

const augmented: ReadonlySet<string> = new Set('+= -= *= /= //= %= **= |= &= ^='.split(' '));

class Statements {
  readonly #cursor: PythonCursor;
  readonly #scope: PythonScope;
  readonly #expressions: PythonExpressions;
  #isInFunction = false;

  constructor(code: string, scope: PythonScope) {
    const tokens = pythonTokens(code);
    this.#cursor = new PythonCursor(code, tokens);
    this.#scope = scope;
    scope.bindAll(tokens);
    this.#expressions = new PythonExpressions(this.#cursor, scope, (part) => {
      scope.depth += 1;
      new Statements(part.trim(), scope).#single();
      scope.depth -= 1;
    });
  }

  program(): void {
    while (!this.#cursor.isKind('end')) this.#statement();
  }

  #single(): void {
    this.#expressions.data(this.#expressions.list());
    this.#cursor.expect('\n');
    if (!this.#cursor.isKind('end')) this.#cursor.fail();
  }

  #statement(): void {
    if (this.#cursor.take('\n')) return;
    const compound = this.#compound();
    if (compound) compound();
    else this.#simpleLine();
  }

  #compound(): (() => void) | undefined {
    if (this.#cursor.isKind('name')) {
      switch (this.#cursor.token.text) {
        case 'for':
          return () => this.#loop();
        case 'if':
          return () => this.#condition();
        case 'with':
          return () => this.#resource();
        case 'try':
          return () => this.#attempt();
        case 'def':
          return () => this.#definition();
      }
    }
    return undefined;
  }

  #simpleLine(): void {
    do {
      if (this.#cursor.is('\n')) break;
      this.#simple();
    } while (this.#cursor.take(';'));
    this.#cursor.expect('\n');
  }

  #simple(): void {
    if (this.#cursor.take('assert')) this.#expressions.data(this.#expressions.list());
    else if (this.#isInFunction && this.#cursor.take('return')) this.#result();
    else if (this.#cursor.take('import')) this.#imports();
    else if (this.#cursor.take('from')) this.#importsFrom();
    else if (!['pass', 'break', 'continue'].some((word) => this.#cursor.take(word))) this.#assignment();
  }

  #result(): void {
    if (!this.#cursor.is('\n') && !this.#cursor.is(';')) this.#expressions.data(this.#expressions.list());
  }

  /** A function with plain parameters. Its own name means nothing inside it, so that it cannot call itself. */
  #definition(): void {
    this.#cursor.expect('def');
    const name = this.#cursor.name();
    this.#cursor.expect('(');
    while (!this.#cursor.take(')')) {
      if (!this.#scope.bind(this.#cursor.name(), pythonValue)) this.#cursor.fail();
      if (this.#cursor.take('=')) this.#expressions.data(this.#expressions.expression());
      if (!this.#cursor.is(')')) this.#cursor.expect(',');
    }
    const outer = this.#isInFunction;
    this.#isInFunction = true;
    this.#suite();
    this.#isInFunction = outer;
    if (!this.#scope.bind(name, { kind: 'lambda' })) this.#cursor.fail();
  }

  #imports(): void {
    do {
      const name = this.#dotted();
      const [first = ''] = name.split('.');
      const alias = this.#cursor.take('as') ? this.#cursor.name() : undefined;
      const isBound = this.#scope.bind(alias ?? first, { kind: 'module', name: alias ? name : first });
      if (!isModule(name) || !isBound) this.#cursor.fail();
    } while (this.#cursor.take(','));
  }

  #importsFrom(): void {
    const module = this.#dotted();
    this.#cursor.expect('import');
    const isOpen = this.#cursor.take('(');
    do {
      const member = memberOf(module, this.#cursor.token.text);
      if (member === undefined) this.#cursor.fail();
      const name = this.#cursor.name();
      const alias = this.#cursor.take('as') ? this.#cursor.name() : name;
      if (!this.#scope.bind(alias, member)) this.#cursor.fail();
    } while (this.#cursor.take(','));
    if (isOpen) this.#cursor.expect(')');
  }

  #dotted(): string {
    let name = this.#cursor.name();
    while (this.#cursor.take('.')) name += `.${this.#cursor.name()}`;
    return name;
  }

  /** An expression, or an assignment. */
  #assignment(): void {
    const { kind, text } = this.#cursor.token;
    if (kind === 'name' && this.#cursor.after(1)?.text === '=') {
      this.#cursor.skip();
      this.#cursor.expect('=');
      const isLambda = this.#cursor.is('lambda');
      if (!this.#scope.bind(text, isLambda ? { kind: 'lambda' } : pythonValue)) this.#cursor.fail();
      this.#assignment();
      return;
    }
    if (this.#isUnpacking()) {
      this.#unpack();
      return;
    }
    const operand = this.#expressions.list();
    this.#expressions.data(operand);
    const { token } = this.#cursor;
    if (token.kind !== 'symbol' || (token.text !== '=' && !augmented.has(token.text))) return;
    // Attributes cannot be assigned: they belong to modules, streams and types.
    const target = this.#cursor.after(-1);
    if (target?.text !== ']' && (token.text === '=' || target?.kind !== 'name')) this.#cursor.fail();
    if (this.#cursor.after(-2)?.text === '.') this.#cursor.fail();
    this.#cursor.skip();
    this.#expressions.data(this.#expressions.list());
  }

  /** `a, b = …`: names separated by commas up to an equals sign. */
  #isUnpacking(): boolean {
    for (let ahead = 0; ; ahead += 2) {
      if (this.#cursor.after(ahead)?.kind !== 'name') return false;
      const next = this.#cursor.after(ahead + 1)?.text;
      if (next === '=') return ahead > 0;
      if (next !== ',') return false;
    }
  }

  #unpack(): void {
    do {
      if (!this.#scope.bind(this.#cursor.name(), pythonValue)) this.#cursor.fail();
    } while (this.#cursor.take(','));
    this.#cursor.expect('=');
    this.#expressions.data(this.#expressions.list());
  }

  #suite(): void {
    this.#cursor.expect(':');
    if (!this.#cursor.take('\n')) {
      this.#simpleLine();
      return;
    }
    if (!this.#cursor.takeKind('indent')) this.#cursor.fail();
    while (!this.#cursor.takeKind('dedent')) {
      if (this.#cursor.isKind('end')) this.#cursor.fail();
      this.#statement();
    }
  }

  #loop(): void {
    this.#cursor.expect('for');
    this.#expressions.targets();
    this.#cursor.expect('in');
    this.#expressions.data(this.#expressions.list());
    this.#suite();
  }

  #condition(): void {
    this.#cursor.expect('if');
    this.#expressions.data(this.#expressions.expression());
    this.#suite();
    while (this.#cursor.take('elif')) {
      this.#expressions.data(this.#expressions.expression());
      this.#suite();
    }
    if (this.#cursor.take('else')) this.#suite();
  }

  #resource(): void {
    this.#cursor.expect('with');
    do {
      this.#expressions.data(this.#expressions.expression());
      if (this.#cursor.take('as') && !this.#scope.bind(this.#cursor.name(), pythonValue)) this.#cursor.fail();
    } while (this.#cursor.take(','));
    this.#suite();
  }

  #attempt(): void {
    this.#cursor.expect('try');
    this.#suite();
    if (!this.#cursor.is('except')) {
      this.#cursor.expect('finally');
      this.#suite();
      return;
    }
    while (this.#cursor.take('except')) {
      if (!this.#cursor.is(':')) this.#expressions.expression();
      if (this.#cursor.take('as') && !this.#scope.bind(this.#cursor.name(), pythonValue)) this.#cursor.fail();
      this.#suite();
    }
    if (this.#cursor.take('else')) this.#suite();
    if (this.#cursor.take('finally')) this.#suite();
  }
}
