/**
 * A prompt cache as providers keep it, on bytes instead of tokens: four bytes count as a token, as in ordinary text.
 *
 * Invariant: only what is byte for byte the beginning of an earlier request counts as cached.
 */
import { sha256 } from '../../src/storage/hash.ts';

export interface PromptCount {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly writtenTokens: number;
}

const bytesPerToken = 4;
const tokensPerBlock = 16;
const closing = ']}';

export class PromptCache {
  readonly #known = new Set<string>();

  /** Blocks hashed in a chain, as vLLM keeps them: everything sent is kept. */
  countBlocks(body: string): PromptCount {
    const bytes = Buffer.from(withoutClosing(body));
    const blockBytes = tokensPerBlock * bytesPerToken;
    let cached = 0;
    let chain = '';
    for (let at = 0; at + blockBytes <= bytes.length; at += blockBytes) {
      chain = sha256(`${chain}${bytes.subarray(at, at + blockBytes).toString('base64')}`);
      if (cached === at && this.#known.has(chain)) cached = at + blockBytes;
      this.#known.add(chain);
    }
    return counted({ total: bytes.length, cached, written: 0 });
  }

  /** Whole prefixes that end at a mark, as the Messages API keeps them: what is not marked is not kept or found. */
  countMarks(body: string): PromptCount {
    const pieces = withoutClosing(body).split(mark);
    const prefixes = pieces.slice(0, -1).map((_, index) => pieces.slice(0, index + 1).join(''));
    if (prefixes.length > 4) throw new Error('a request has at most four marks');
    const found = prefixes.filter((prefix) => this.#known.has(sha256(prefix))).at(-1) ?? '';
    for (const prefix of prefixes) this.#known.add(sha256(prefix));
    const total = Buffer.byteLength(pieces.join(''));
    const cached = Buffer.byteLength(found);
    const last = Buffer.byteLength(prefixes.at(-1) ?? '');
    return counted({ total, cached, written: Math.max(0, last - cached) });
  }
}

const mark = ',"cache_control":{"type":"ephemeral"}';

function withoutClosing(body: string): string {
  return body.endsWith(closing) ? body.slice(0, -closing.length) : body;
}

function counted(bytes: { total: number; cached: number; written: number }): PromptCount {
  const tokens = (count: number): number => Math.floor(count / bytesPerToken);
  return {
    promptTokens: tokens(bytes.total),
    cachedTokens: tokens(bytes.cached),
    writtenTokens: tokens(bytes.written),
  };
}
