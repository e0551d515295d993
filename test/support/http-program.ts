/** `forerun mcp --http` as a process of its own, on a port that was free, and official clients of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { bin } from './built-program.ts';
import { nodeOptions } from './node-options.ts';

export interface HttpProgramPlace {
  readonly root: string;
  /** What leads to the program, such as a command that makes it another user's. */
  readonly through: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export class HttpProgram implements AsyncDisposable {
  readonly url: URL;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: URL) {
    this.#child = child;
    this.url = url;
  }

  static async start(
    words: readonly string[],
    { root, through, env }: HttpProgramPlace,
  ): Promise<HttpProgram> {
    const port = String(await freePort());
    const all = [...through, process.execPath, bin, 'mcp', '--http', '--port', port, ...words];
    const [command = '', ...args] = all;
    const child = spawn(command, args, {
      cwd: root,
      env: { ...nodeOptions, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    for await (const line of createInterface({ input: child.stderr })) {
      const [address] = /http:\/\/[^\s"]+/.exec(line) ?? [];
      if (address === undefined) continue;
      child.stderr.resume();
      return new HttpProgram(child, new URL(address));
    }
    throw new Error('the program ended without saying where it listens');
  }

  async client(): Promise<Client> {
    const client = new Client({ name: 'test', version: '0' });
    await client.connect(new StreamableHTTPClientTransport(this.url));
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
