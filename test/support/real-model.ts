/**
 * A real language model for tests, where `scripts/provision` has installed one: a small and simple one, that shows how requests,
 * streams, caches and connections fare with a real engine, and not how good the answers are.
 *
 * Invariant: what it generates is the same for the same prompt; the process ends with its owner.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ModelClient } from '../../src/model/model-client.ts';
import { addressOf, openModelClient } from '../../src/model/model-endpoint.ts';
import { childProgram } from './child-program.ts';
import { provisionedModel } from './provisioned.ts';

/** What it is called. */
export const realModelTitle = 'TinyLlama 1.1B';

export function isRealModelHere(): boolean {
  return existsSync(join(provisionedModel, 'ready'));
}

/** What the engine did for one request. */
export interface EngineRecord {
  readonly promptTokens: number;
  /** How many of them it had not to evaluate again. */
  readonly cachedTokens: number;
  readonly generatedTokens: number;
  /** `left`: the client went away before the answer was complete. */
  readonly end: 'complete' | 'left';
  readonly generatedAfterLeft: number;
}

export interface EngineReport {
  /** By the engine's own meter, since it was started. */
  readonly generatedTokens: number;
  /** In the order they were worked on. */
  readonly requests: readonly EngineRecord[];
}

export class RealModel implements AsyncDisposable {
  /** Where it listens, without a path. */
  readonly url: string;
  readonly #input: Writable;
  readonly #exited: Promise<unknown>;

  private constructor(url: string, input: Writable, exited: Promise<unknown>) {
    this.url = url;
    this.#input = input;
    this.#exited = exited;
  }

  static async start(): Promise<RealModel> {
    const words = [childProgram('real-model-server'), provisionedModel];
    const child = spawn(process.execPath, words, { stdio: 'pipe' });
    const complaints = text(child.stderr);
    const exited = once(child, 'exit');
    const url = await Promise.race([firstLine(child.stdout), exited.then(() => undefined)]);
    if (url === undefined) throw new Error(`the real model did not start: ${await complaints}`);
    return new RealModel(url, child.stdin, exited);
  }

  client(): ModelClient {
    const endpoint = {
      provider: 'openai-compatible',
      address: addressOf('openai-compatible', this.url),
      key: undefined,
    } as const;
    return openModelClient({ endpoint, contextTokens: 2048 });
  }

  /** What the engine has done, once it is done with everything that was asked of it. */
  async report(): Promise<EngineReport> {
    const response = await fetch(`${this.url}/engine`);
    return JSON.parse(await response.text());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#input.end();
    await this.#exited;
  }
}

async function firstLine(stream: Readable): Promise<string | undefined> {
  for await (const line of createInterface(stream)) return line;
  return undefined;
}
