/**
 * Tools called in process, on a scratch workspace with live servers.
 *
 * Invariant: a call goes through `dispatch`, as every call does; only the wire is left out.
 */
import { join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import { AnswerRests } from '../../src/tools/answer-rest.ts';
import { catalogue } from '../../src/tools/catalogue.ts';
import { dispatch } from '../../src/tools/dispatch.ts';
import { OpenedDocuments } from '../../src/tools/opened-documents.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { contentOf } from '../../src/tools/tool-result.ts';
import { calm, World, type WorldOptions } from './world.ts';

export interface ToolAnswer {
  readonly content: readonly string[];
  /** The payload as it was sent. */
  readonly text: string;
  /** The payload read as JSON; undefined where it is plain text. */
  readonly json: unknown;
  /** What the last item says of the answer; for an error, its code and remedy. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly hint: string | undefined;
  readonly isError: boolean;
}

export class ToolWorld implements AsyncDisposable {
  readonly world: World;
  /** What tools reported while they ran. */
  readonly progress: string[] = [];
  readonly #tools: readonly Tool[];
  readonly #documents = new OpenedDocuments();
  readonly #answers = new AnswerRests();

  private constructor(world: World, tools: readonly Tool[]) {
    this.world = world;
    this.#tools = tools;
  }

  static async open(
    files: Readonly<Record<string, string>>,
    { tools = catalogue, ...options }: WorldOptions & { readonly tools?: readonly Tool[] } = {},
  ): Promise<ToolWorld> {
    return new ToolWorld(await World.open(files, options), tools);
  }

  /** The absolute path of something in the workspace. */
  at(path: string): string {
    return join(this.world.root, path);
  }

  async call(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    signal: AbortSignal = calm,
  ): Promise<ToolAnswer> {
    const { workspaces, sessions } = this.world;
    const progress = (message: string) => void this.progress.push(message);
    const connection = { documents: this.#documents, setLogLevel: () => {}, progress };
    const result = await dispatch(
      { workspaces, sessions, log: silentLog, connection, answers: this.#answers },
      { tools: this.#tools, guards: [], name, arguments: args },
      signal,
    );
    const { payload, meta = {}, hint, isError } = result;
    const content = contentOf(result);
    const text = content[0] ?? '';
    return {
      content,
      text,
      json: payload.kind === 'json' ? JSON.parse(text) : undefined,
      meta,
      hint,
      isError,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}
