/**
 * A real language model, evaluated by a real engine on this machine's processor.
 *
 * Invariants: the likeliest token is taken every time. What the engine holds of an earlier prompt is used again in whole
 * blocks that were evaluated as such, so that an answer depends on its prompt alone and not on what was asked before. What
 * is counted is what the engine's own meter counted.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { KeptPrefixes, type StoredState } from './real-model-prefix.ts';

export interface AnswerOptions {
  readonly maxTokens: number;
  /** Aborted, no further block or token is begun. */
  readonly signal: AbortSignal;
}

export interface PromptWork {
  readonly promptTokens: number;
  /** How many of them were not evaluated again. */
  readonly cachedTokens: number;
}

/**
 * How many tokens of a prompt are evaluated at once, by their position alone: many at the beginning, which all prompts of
 * a conversation share, because that halves the cost per token, few where prompts begin to differ, and many again beyond
 * that, where only long prompts reach.
 */
const wideBlock = 128;
const narrowBlock = 16;
const wideUntil = 512;
const wideFrom = 640;

export class RealModelEngine {
  readonly contextTokens: number;
  readonly #model: LlamaModel;
  readonly #sequence: LlamaSequence;
  readonly #prefixes: KeptPrefixes;
  /** How far the engine holds whole blocks of a prompt. */
  #heldBlocks = 0;

  private constructor(model: LlamaModel, context: LlamaContext, prefixes: KeptPrefixes) {
    this.#model = model;
    this.#prefixes = prefixes;
    this.#sequence = context.getSequence();
    this.contextTokens = context.contextSize;
  }

  /** From the directory that `scripts/provision` filled. */
  static async open(directory: string): Promise<RealModelEngine> {
    const entry = join(directory, 'node_modules/node-llama-cpp/dist/index.js');
    const { getLlama }: LlamaModule = await import(pathToFileURL(entry).href);
    // One thread: two of them spin while they wait for each other, which is very slow if another process uses the second core.
    const llama = await getLlama({
      gpu: false,
      build: 'never',
      progressLogs: false,
      logLevel: 'error',
      maxThreads: 1,
    });
    const model = await llama.loadModel({ modelPath: join(directory, 'model.gguf') });
    const context = await model.createContext({
      contextSize: 2048,
      sequences: 1,
      threads: 1,
      batchSize: wideBlock,
    });
    return new RealModelEngine(model, context, new KeptPrefixes(directory));
  }

  tokensOf(prompt: string): readonly Token[] {
    return this.#model.tokenize(prompt, true);
  }

  /** All that was generated so far, for anybody. */
  get generatedTokens(): number {
    return this.#sequence.tokenMeter.usedOutputTokens;
  }

  /** Takes a prompt in. What is left of it, less than a block, is the beginning of the answer. */
  async take(
    prompt: readonly Token[],
    signal: AbortSignal,
  ): Promise<PromptWork & { readonly rest: Token[] }> {
    const sequence = this.#sequence;
    const before = sequence.tokenMeter.usedInputTokens;
    await this.#keepShared(prompt);
    if (this.#heldBlocks === 0) await this.#loadBeginning(prompt);
    let end = this.#heldBlocks + blockAt(this.#heldBlocks);
    // The last token is always left: what follows it is what is asked for.
    while (!signal.aborted && end < prompt.length) {
      await sequence.evaluateWithoutGeneratingNewTokens(prompt.slice(this.#heldBlocks, end));
      this.#heldBlocks = end;
      if (end === wideUntil) await this.#prefixes.keep(sequence, prompt.slice(0, end));
      end += blockAt(end);
    }
    const rest = prompt.slice(this.#heldBlocks);
    const evaluated = sequence.tokenMeter.usedInputTokens - before + rest.length;
    return { promptTokens: prompt.length, cachedTokens: prompt.length - evaluated, rest };
  }

  /** The answer, piece by piece; a piece is what one token, or several that make up a character, stand for. */
  async *answer(
    rest: Token[],
    { maxTokens, signal }: AnswerOptions,
  ): AsyncGenerator<string, 'stop' | 'length'> {
    const tokens: Token[] = [];
    let reported = 0;
    if (signal.aborted) return 'stop';
    for await (const token of this.#sequence.evaluate(rest, { temperature: 0 })) {
      tokens.push(token);
      const text = this.#model.detokenize(tokens);
      const isWhole = !text.endsWith('\uFFFD');
      if (isWhole) {
        yield text.slice(reported);
        reported = text.length;
      }
      if (signal.aborted) break;
      if (tokens.length >= maxTokens) return 'length';
    }
    return 'stop';
  }

  /** What earlier runs have evaluated of it. */
  async #loadBeginning(prompt: readonly Token[]): Promise<void> {
    if (prompt.length <= wideUntil) return;
    if (await this.#prefixes.load(this.#sequence, prompt.slice(0, wideUntil))) this.#heldBlocks = wideUntil;
  }

  /** Has the engine forget everything but the blocks that this prompt begins with. */
  async #keepShared(prompt: readonly Token[]): Promise<void> {
    const held = this.#sequence.contextTokens;
    const most = Math.min(this.#heldBlocks, prompt.length - 1);
    const differs = held.slice(0, most).findIndex((token, index) => token !== prompt[index]);
    const shared = differs < 0 ? most : differs;
    this.#heldBlocks = shared - (shared % blockAt(shared));
    if (held.length > this.#heldBlocks)
      await this.#sequence.eraseContextTokenRanges([{ start: this.#heldBlocks, end: held.length }]);
  }
}

function blockAt(place: number): number {
  return place < wideUntil || place >= wideFrom ? wideBlock : narrowBlock;
}

export type Token = number;

/** As much of node-llama-cpp as is used here; it is no dependency, so that its own types are not at hand. */
interface LlamaModule {
  getLlama(options: {
    readonly gpu: false;
    readonly build: 'never';
    readonly progressLogs: false;
    readonly logLevel: 'error';
    readonly maxThreads: number;
  }): Promise<{ loadModel(options: { readonly modelPath: string }): Promise<LlamaModel> }>;
}

interface LlamaModel {
  tokenize(text: string, specialTokens: boolean): Token[];
  detokenize(tokens: readonly Token[]): string;
  createContext(options: {
    readonly contextSize: number;
    readonly sequences: number;
    readonly threads: number;
    readonly batchSize: number;
  }): Promise<LlamaContext>;
}

interface LlamaContext {
  readonly contextSize: number;
  getSequence(): LlamaSequence;
}

interface LlamaSequence extends StoredState {
  readonly contextTokens: readonly Token[];
  readonly tokenMeter: { readonly usedInputTokens: number; readonly usedOutputTokens: number };
  eraseContextTokenRanges(ranges: readonly { readonly start: number; readonly end: number }[]): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly Token[]): Promise<void>;
  evaluate(tokens: readonly Token[], options: { readonly temperature: 0 }): AsyncIterable<Token>;
}
