/**
 * A position in the tokens of a JavaScript program.
 *
 * Invariant: never moves past the end token.
 */
import { UnreadCode } from '../unread-code.ts';
import { type JavaScriptToken, javaScriptTokens } from './javascript-token.ts';

export class JavaScriptCursor {
  readonly #code: string;
  readonly #tokens: readonly JavaScriptToken[];
  #index = 0;

  constructor(code: string) {
    this.#code = code;
    this.#tokens = javaScriptTokens(code);
  }

  get token(): JavaScriptToken {
    const token = this.#tokens[this.#index] ?? this.#tokens.at(-1);
    if (token === undefined) throw new UnreadCode('');
    return token;
  }

  get before(): JavaScriptToken | undefined {
    return this.#tokens[this.#index - 1];
  }

  after(count: number): JavaScriptToken | undefined {
    return this.#tokens[this.#index + count];
  }

  peek(ahead: number): string {
    return this.after(ahead)?.text ?? '';
  }

  is(text: string): boolean {
    const { kind } = this.token;
    return this.token.text === text && (kind === 'symbol' || kind === 'name');
  }

  skip(): void {
    this.#index += 1;
  }

  back(): void {
    this.#index -= 1;
  }

  take(text: string): boolean {
    if (!this.is(text)) return false;
    this.#index += 1;
    return true;
  }

  expect(text: string): void {
    if (!this.take(text)) this.fail();
  }

  fail(): never {
    throw new UnreadCode(this.#code.slice(this.token.at));
  }
}
