/**
 * Brokers as processes of their own, in a directory of their own.
 *
 * Invariant: disposing it ends every broker that was started in it and removes what they wrote.
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Log, type LogRecord } from '../../src/base/log.ts';
import { askBroker } from '../../src/broker/broker-client.ts';
import type { BrokerState } from '../../src/broker/broker-state.ts';
import { type KnownBroker, knownBrokers } from '../../src/broker/running-brokers.ts';
import { stopBroker } from '../../src/broker/stop-broker.ts';
import { WarmBrokers, type WarmBrokersOptions } from '../../src/broker/warm-brokers.ts';
import { bin } from './built-program.ts';
import { processesMarked } from './marked-process.ts';
import { calm, World } from './world.ts';

/** The built program, as a command. */
export const programCommand: readonly string[] = [process.execPath, bin];

export class BrokerHome implements AsyncDisposable {
  readonly directory: string;
  /** The environment of every process of this home, which distinguishes it from others. */
  readonly env: NodeJS.ProcessEnv;
  readonly received: LogRecord[] = [];
  readonly #worlds: World[] = [];
  readonly #scratch: string[] = [];

  private constructor(directory: string) {
    this.directory = directory;
    this.env = {
      ...process.env,
      FORERUN_DAEMON_DIR: directory,
      FORERUN_AUDIT_LOG: 'off',
      // What processes leave where they can be asked how they are goes with the home, too.
      XDG_CACHE_HOME: join(directory, 'cache'),
    };
  }

  static async open(): Promise<BrokerHome> {
    return new BrokerHome(await realpath(await mkdtemp(join(tmpdir(), 'forerun-home-'))));
  }

  /** A directory with these files that goes with the home. */
  async workspace(files: Readonly<Record<string, string>>): Promise<string> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'forerun-brokered-')));
    this.#scratch.push(root);
    await using _ = await World.open(files, { root });
    return root;
  }

  warm(options: Partial<WarmBrokersOptions> = {}): WarmBrokers {
    return new WarmBrokers({
      use: 'on',
      home: this.directory,
      version: '0.1.0',
      command: [...programCommand, 'daemon', 'run'],
      env: this.env,
      log: new Log((record) => this.received.push(record)),
      ...options,
    });
  }

  /** What another process would hold. */
  async world(root: string, options: Partial<WarmBrokersOptions> = {}): Promise<World> {
    const world = await World.open({}, { root, warm: this.warm(options) });
    this.#worlds.push(world);
    return world;
  }

  get brokers(): readonly KnownBroker[] {
    return knownBrokers(this.directory, this.env);
  }

  /** What the only broker says of itself. */
  async state(): Promise<BrokerState> {
    const [record] = this.brokers.map((broker) => broker.record);
    const state = record && (await askBroker(record.socket_path, calm));
    if (!state) throw new Error('no broker answers');
    return state;
  }

  /** The language servers of every process in this home, without the shells that watch over them. */
  async serverPids(): Promise<readonly number[]> {
    const marked = await processesMarked(this.directory);
    const servers = marked.filter((line) => line.includes('--lsp') && !line.includes('/bin/sh'));
    return servers.map((line) => Number(line.split(' ')[0]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const world of this.#worlds) await world[Symbol.asyncDispose]();
    for (const broker of this.brokers) await stopBroker(broker, this.env, calm);
    for (const directory of [this.directory, ...this.#scratch]) {
      await rm(directory, { recursive: true, force: true });
    }
  }
}
