/**
 * The state shared by the checks of one Python program.
 *
 * Invariant: a name is a value unless an import or a lambda shows otherwise; a name is never both.
 */
import { type ListedKind, type Listing, listingOf } from './python-listing.ts';
import { builtins, constants, pythonModules } from './python-names.ts';
import type { PythonToken } from './python-token.ts';

export type PythonOperand =
  | { readonly kind: 'value' | 'lambda' | 'type' }
  /** A path whose literal was recorded. */
  | { readonly kind: 'path' }
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'module'; readonly name: string }
  | { readonly kind: 'function'; readonly name: string; readonly module: string };

export const pythonValue: PythonOperand = { kind: 'value' };

/** Types whose methods are used as functions, as in `map(str.strip, lines)`. */
const types: ReadonlySet<string> = new Set(['str', 'dict', 'list', 'set', 'bytes', 'int', 'float']);

const keywords: ReadonlySet<string> = new Set(
  `and as assert async await break class continue def del elif else except finally for from global if import in is
  lambda nonlocal not or pass raise return try while with yield True False None`.split(/\s+/),
);

export class PythonScope {
  readonly paths: string[] = [];
  /** Where the program opens its input by a name; it is opened by its number, since it may be a socket. */
  readonly inputs: { readonly at: number; readonly length: number }[] = [];
  /** The number of f-strings around the current place; inside them, positions are not those of the program. */
  depth = 0;
  /** Whether a file named by an argument of the program is read. */
  readsArguments = false;
  #listing: Listing = { variables: new Map(), directories: [] };
  readonly #names = new Map<string, PythonOperand>();

  /** Records the names that are bound anywhere, since a comprehension uses its names before it binds them. */
  bindAll(tokens: readonly PythonToken[]): void {
    const listing = listingOf(tokens);
    const outer = this.#listing.variables;
    this.#listing = {
      variables: new Map([...outer, ...listing.variables]),
      directories: [...this.#listing.directories, ...listing.directories],
    };
    let isTarget = false;
    for (const [index, token] of tokens.entries()) {
      if (startsTargets(token)) isTarget = true;
      else if (endsTargets(token)) isTarget = false;
      else if (token.kind === 'name' && (isTarget || isAssigning(tokens[index + 1]))) {
        // A name that an f-string binds anew is no longer one of the listing around it.
        if (outer.has(token.text) && !listing.variables.has(token.text)) this.#forget(token.text);
        this.bind(token.text, pythonValue);
      }
    }
  }

  #forget(name: string): void {
    const variables = new Map(this.#listing.variables);
    variables.delete(name);
    this.#listing = { ...this.#listing, variables };
  }

  /** The directories whose files are listed. */
  get directories(): readonly string[] {
    return this.#listing.directories;
  }

  /** What a variable holds if it comes from a listing. */
  listed(name: string): ListedKind | undefined {
    return this.#listing.variables.get(name);
  }

  /** Whether the name may be bound to this; a second meaning is refused. */
  bind(name: string, given: PythonOperand): boolean {
    const isFile = given.kind === 'value' && this.listed(name) === 'file';
    const operand: PythonOperand = isFile ? { kind: 'path' } : given;
    const before = this.#names.get(name);
    if (before && (before.kind !== operand.kind || before.kind === 'lambda')) return false;
    if (keywords.has(name) || name.startsWith('__')) return false;
    if (operand.kind !== 'module' && operand.kind !== 'function' && builtins.has(name)) return false;
    this.#names.set(name, operand);
    return true;
  }

  resolve(name: string): PythonOperand | undefined {
    const bound = this.#names.get(name);
    if (bound) return bound;
    if (constants.has(name)) return pythonValue;
    return builtins.has(name) ? { kind: 'builtin', name } : undefined;
  }
}

/** Names are bound after `for` and `lambda`. */
function startsTargets({ kind, text }: PythonToken): boolean {
  return kind === 'name' && (text === 'for' || text === 'lambda');
}

function endsTargets({ kind, text }: PythonToken): boolean {
  return (kind === 'name' && text === 'in') || (kind === 'symbol' && text === ':');
}

function isAssigning(token: PythonToken | undefined): boolean {
  return token?.kind === 'symbol' && token.text === ':=';
}

/** The meaning of a dotted name after a module. */
export function memberOf(module: string, name: string): PythonOperand | undefined {
  const full = `${module}.${name}`;
  const known = Object.hasOwn(pythonModules, module) ? pythonModules[module] : undefined;
  if (known?.functions.has(name)) return { kind: 'function', module, name };
  if (known?.values.has(name)) return pythonValue;
  return isModule(full) ? { kind: 'module', name: full } : undefined;
}

/** Whether a dotted name is a listed module, or a prefix of one. */
export function isModule(name: string): boolean {
  return Object.keys(pythonModules).some((each) => each === name || each.startsWith(`${name}.`));
}

export function isKeyword(name: string): boolean {
  return keywords.has(name);
}

export function isType(name: string): boolean {
  return types.has(name);
}
