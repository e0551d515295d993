/** The official MCP client connected to the built program over stdio. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { silentLog } from '../../src/base/log.ts';
import { TrustStore } from '../../src/workspace/trust.ts';
import { bin } from './built-program.ts';
import { nodeOptions } from './node-options.ts';

export interface Answer {
  /** The first item, which is the payload. */
  readonly text: string;
  readonly content: readonly string[];
  readonly isError: boolean;
  /** The payload as JSON; undefined where it is plain text. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

export interface ConnectionOptions {
  /** What stands after `forerun mcp`. */
  readonly words?: readonly string[];
  readonly cwd?: string;
  /** Where sessions are kept; default: a directory of its own that goes with the connection. */
  readonly state?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly client?: ClientOptions;
  /** What leads to the program, such as a command that makes it another user's. */
  readonly through?: readonly string[];
}

export class McpConnection implements AsyncDisposable {
  readonly client: Client;
  readonly #transport: StdioClientTransport;
  readonly #state: string;
  readonly #own: string | undefined;

  private constructor(
    client: Client,
    transport: StdioClientTransport,
    directories: { readonly state: string; readonly own: string | undefined },
  ) {
    this.client = client;
    this.#transport = transport;
    this.#state = directories.state;
    this.#own = directories.own;
  }

  static async open(options: ConnectionOptions = {}): Promise<McpConnection> {
    const own = options.state === undefined ? await mkdtemp(join(tmpdir(), 'forerun-state-')) : undefined;
    const state = options.state ?? own ?? '';
    const client = new Client({ name: 'test', version: '0' }, options.client);
    const words = [...(options.through ?? []), process.execPath, bin, 'mcp', ...(options.words ?? [])];
    const transport = new StdioClientTransport({
      command: words[0] ?? '',
      args: words.slice(1),
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      env: {
        PATH: process.env.PATH ?? '',
        HOME: process.env.HOME ?? '',
        ...nodeOptions,
        XDG_STATE_HOME: state,
        FORERUN_CACHE_DIR: state,
        // Calls of tests are not recorded in the user's audit log.
        FORERUN_AUDIT_LOG: 'off',
        FORERUN_DAEMON: 'off',
        ...options.env,
      },
      stderr: 'pipe',
    });
    await client.connect(transport);
    return new McpConnection(client, transport, { state, own });
  }

  get pid(): number {
    const { pid } = this.#transport;
    if (pid === null) throw new Error('the program is not running');
    return pid;
  }

  /** As its user would with `forerun trust`, while the program runs. */
  trust(root: string): void {
    new TrustStore({ env: { XDG_STATE_HOME: this.#state }, log: silentLog }).trust(root);
  }

  async call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    const result = await this.client.callTool({ name, arguments: { ...args } }, { timeout: 200_000 });
    const content = result.content.map((item) => (item.type === 'text' ? item.text : ''));
    const text = content[0] ?? '';
    return { text, content, isError: result.isError ?? false, json: parsed(text) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    if (this.#own !== undefined) await rm(this.#own, { recursive: true, force: true });
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
