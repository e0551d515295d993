/** A Redis of a test's own, on a free port of this machine; `scripts/provision` installs the program. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = 'redis-server';

/** Whether the program is installed; tests that need it are skipped by name otherwise. */
export const hasRedis: boolean = spawnSync(program, ['--version']).status === 0;

export class RedisServer implements AsyncDisposable {
  readonly port: number;
  readonly #directory: string;
  readonly #options: readonly string[];
  #child: ChildProcess | undefined;

  private constructor(port: number, directory: string, options: readonly string[]) {
    this.port = port;
    this.#directory = directory;
    this.#options = options;
  }

  static async start(...options: readonly string[]): Promise<RedisServer> {
    const directory = await mkdtemp(join(tmpdir(), 'forerun-redis-'));
    const server = new RedisServer(await RedisServer.freePort(), directory, options);
    await server.resume();
    return server;
  }

  /** A port of this machine that no program listens on. */
  static async freePort(): Promise<number> {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const address = probe.address();
    await new Promise((resolve) => probe.close(resolve));
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  }

  /** A socket in the file system, for processes without this network. */
  get socket(): string {
    return join(this.#directory, 'redis.sock');
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it again with what it has written. */
  async resume(): Promise<void> {
    const where = [
      '--port',
      String(this.port),
      '--bind',
      '127.0.0.1',
      '--dir',
      this.#directory,
      '--unixsocket',
      this.socket,
    ];
    const child = spawn(program, [...where, '--save', '', '--appendonly', 'yes', ...this.#options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      let said = '';
      child.stdout?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('Ready to accept connections')) resolve();
      });
      child.once('exit', () => reject(new Error(`redis-server ended: ${said}`)));
    });
  }

  /** Lets it say nothing more, with its connections open, until `thaw`. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.#directory, { recursive: true, force: true });
  }
}
