/**
 * A position in the tokens of a Python program.
 *
 * Invariant: never moves past the end token.
 */
import { UnreadCode } from '../unread-code.ts';
import type { PythonToken } from './python-token.ts';

export class PythonCursor {
  readonly #code: string;
  readonly #tokens: readonly PythonToken[];
  #index = 0;

  constructor(code: string, tokens: readonly PythonToken[]) {
    this.#code = code;
    this.#tokens = tokens;
  }

  get token(): PythonToken {
    const token = this.#tokens[this.#index] ?? this.#tokens.at(-1);
    if (token === undefined) throw new UnreadCode('');
    return token;
  }

  after(count: number): PythonToken | undefined {
    return this.#tokens[this.#index + count];
  }

  is(text: string): boolean {
    const { kind } = this.token;
    return this.token.text === text && (kind === 'symbol' || kind === 'name' || kind === 'newline');
  }

  isKind(kind: PythonToken['kind']): boolean {
    return this.token.kind === kind;
  }

  skip(): void {
    this.#index += 1;
  }

  take(text: string): boolean {
    if (!this.is(text)) return false;
    this.#index += 1;
    return true;
  }

  takeKind(kind: PythonToken['kind']): PythonToken | undefined {
    const { token } = this;
    if (token.kind !== kind) return undefined;
    this.#index += 1;
    return token;
  }

  expect(text: string): void {
    if (!this.take(text)) this.fail();
  }

  name(): string {
    return this.takeKind('name')?.text ?? this.fail();
  }

  fail(): never {
    throw new UnreadCode(this.#code.slice(this.token.at));
  }
}
