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

  get tokens(): readonly JavaScriptToken[] {
    return this.#tokens;
  }

  /** The number of tokens before the current one. */
  get index(): number {
    return this.#index;
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

  /** Whether an arrow function starts here: a name or parentheses, and the arrow behind them. */
  startsArrow(): boolean {
    if (this.token.kind === 'name') return this.peek(1) === '=>';
    if (!this.is('(')) return false;
    let depth = 0;
    for (let ahead = 0; ; ahead++) {
      const token = this.after(ahead);
      if (token === undefined) return false;
      if (token.kind !== 'symbol') continue;
      if ('([{'.includes(token.text)) depth += 1;
      if (')]}'.includes(token.text)) depth -= 1;
      if (depth === 0) return this.peek(ahead + 1) === '=>';
    }
  }

  fail(): never {
    throw new UnreadCode(this.#code.slice(this.token.at));
  }
}
