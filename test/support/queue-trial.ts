/** A queue with workers in processes of their own, and repositories that they evaluate. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { silentLog } from '../../src/base/log.ts';
import type { EvaluationOutcome, EvaluationRequest } from '../../src/evaluation/evaluator.ts';
import { LocalEvaluator } from '../../src/evaluation/local-evaluator.ts';
import { Forerun } from '../../src/host/forerun.ts';
import { QueueWorker, type QueueWorkerOptions } from '../../src/queue/queue-worker.ts';
import { QueuedEvaluator, type QueuedEvaluatorOptions } from '../../src/queue/queued-evaluator.ts';
import { parseWorkspacePath, rootPath } from '../../src/workspace/workspace-path.ts';
import { bin, programEnvironment } from './built-program.ts';
import { childProgram } from './child-program.ts';
import { commitAll, gitIn } from './git-workspace.ts';
import { RedisServer } from './redis-server.ts';
import { calm } from './world.ts';

/** Starts a program in namespaces of its own. */
const apart = 'unshare';

/** Whether processes can have a network of their own here. */
export const hasNetworks: boolean = spawnSync(apart, ['--net', 'ip', 'link', 'set', 'lo', 'up']).status === 0;

export const queueSecret = 'the secret of these tests';

/** The commits of a repository, each as the files that it changes. */
export type Commits = readonly Readonly<Record<string, string>>[];

export class QueueTrial implements AsyncDisposable {
  readonly redis: RedisServer;
  readonly directory: string;
  readonly forerun: Forerun;
  readonly workers: TrialWorker[] = [];
  readonly #evaluators: QueuedEvaluator[] = [];

  private constructor(redis: RedisServer, directory: string) {
    this.redis = redis;
    this.directory = directory;
    this.forerun = new Forerun({ definitions: 'detect', log: silentLog, env: this.env(), daemon: 'off' });
  }

  static async open(...redisOptions: readonly string[]): Promise<QueueTrial> {
    const directory = await realpath(await mkdtemp(join(tmpdir(), 'forerun-queue-')));
    return new QueueTrial(await RedisServer.start(...redisOptions), directory);
  }

  /** Own directories for our files; what is cached is not shared with other tests. */
  env(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    return programEnvironment({
      XDG_CACHE_HOME: join(this.directory, 'cache'),
      XDG_STATE_HOME: join(this.directory, 'state'),
      FORERUN_QUEUE: this.redis.url,
      FORERUN_QUEUE_SECRET: queueSecret,
      ...more,
    });
  }

  /** The same for a program that a test starts. */
  variables(): Record<string, string> {
    const set = Object.entries(this.env()).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return Object.fromEntries(set);
  }

  /** A bare repository with these commits, and for each of them a clone that has it checked out. */
  async repository(name: string, commits: Commits): Promise<TrialRepository> {
    const [origin, source] = [join(this.directory, `${name}.git`), join(this.directory, `${name}-source`)];
    await mkdir(source);
    const clones: string[] = [];
    for (const [index, files] of commits.entries()) {
      await writeFiles(source, files);
      if (index === 0) await commitAll(source);
      else {
        await gitIn(source, 'add', '-A');
        await gitIn(source, 'commit', '-q', '-m', `commit ${index}`);
      }
    }
    await gitIn(this.directory, 'clone', '-q', '--bare', source, origin);
    for (const index of commits.keys()) {
      const clone = join(this.directory, `${name}-${index}`);
      await gitIn(this.directory, 'clone', '-q', origin, clone);
      await gitIn(clone, 'checkout', '-q', '--detach', `HEAD~${commits.length - 1 - index}`);
      clones.push(clone);
    }
    return { origin, clones };
  }

  /** A bare repository with the first of these commits, and a clone that has them all. */
  async history(name: string, commits: Commits): Promise<TrialHistory> {
    const { origin, clones } = await this.repository(name, commits.slice(0, 1));
    const clone = clones[0] ?? '';
    await gitIn(clone, 'checkout', '-q', '-b', 'work');
    const ids = [(await gitIn(clone, 'rev-parse', 'HEAD')).trim()];
    for (const [index, files] of commits.slice(1).entries()) {
      await writeFiles(clone, files);
      await gitIn(clone, 'add', '-A');
      await gitIn(clone, 'commit', '-q', '-m', `commit ${index + 1}`);
      ids.push((await gitIn(clone, 'rev-parse', 'HEAD')).trim());
    }
    return { origin, clone, commits: ids };
  }

  /** Moves a clone to a commit and pushes it, as its author does. */
  async publish(clone: string, commit: string): Promise<void> {
    await gitIn(clone, 'checkout', '-q', '--detach', commit);
    await gitIn(clone, 'push', '-q', '--force', 'origin', 'HEAD:refs/heads/work');
  }

  async worker(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<TrialWorker> {
    const started = await TrialWorker.start(words, this.env(env));
    this.workers.push(started);
    return started;
  }

  /** A worker in this process, whose servers a test can choose. */
  async workerHere(
    repository: string,
    {
      definitions = 'detect',
      ...options
    }: Partial<QueueWorkerOptions> & {
      readonly definitions?: ConstructorParameters<typeof Forerun>[0]['definitions'];
    } = {},
  ): Promise<QueueWorker> {
    const env = this.env();
    return QueueWorker.start({
      url: this.redis.url,
      secret: queueSecret,
      name: 'here',
      repositories: [repository],
      concurrency: 1,
      checkouts: 2,
      prepare: async () => {},
      finishMs: 100,
      forerun: new Forerun({ definitions, log: silentLog, env, daemon: 'off' }),
      env,
      log: silentLog,
      ...options,
    });
  }

  /** A worker in a network namespace of its own, which reaches Redis and nothing else. */
  async workerApart(words: readonly string[]): Promise<TrialWorker> {
    const relay = `${process.execPath} ${childProgram('queue-relay')} ${this.redis.port} ${this.redis.socket}`;
    const script = `ip link set lo up && { ${relay} & exec "$@"; }`;
    const through = [apart, '--net', 'sh', '-c', script, 'sh'];
    const started = await TrialWorker.start(words, this.env(), through);
    this.workers.push(started);
    return started;
  }

  async evaluator(options: Partial<QueuedEvaluatorOptions> = {}): Promise<QueuedEvaluator> {
    const opened = await QueuedEvaluator.open({
      url: this.redis.url,
      secret: queueSecret,
      caller: 'test',
      priority: 'agent',
      callerJobs: 1000,
      deadlineMs: 120_000,
      env: this.env(),
      log: silentLog,
      ...options,
    });
    this.#evaluators.push(opened);
    return opened;
  }

  /** A change to some files of a clone, as a request. */
  async request(
    root: string,
    files: Readonly<Record<string, string | 'removed'>>,
  ): Promise<EvaluationRequest> {
    const { live } = await this.forerun.registry.open(root, calm);
    await live.syncWithDisk(calm);
    const entries = Object.entries(files).map(([path, text]) => {
      const known = parseWorkspacePath(path) ?? rootPath;
      return [known, text === 'removed' ? text : ({ kind: 'text', text } as const)] as const;
    });
    return {
      workspace: live.workspace,
      overlay: live.emptyOverlay().writeAll(entries),
      scope: 'workspace',
      timeoutMs: 60_000,
      caller: 'test',
    };
  }

  /** What this process says of the same request. */
  async local(request: EvaluationRequest): Promise<EvaluationOutcome> {
    const { live } = await this.forerun.registry.open(request.workspace.root, calm);
    return new LocalEvaluator(live, silentLog).evaluate(request, calm);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#evaluators.map((evaluator) => evaluator[Symbol.asyncDispose]()));
    await Promise.all(this.workers.map((worker) => worker.kill()));
    await this.forerun[Symbol.asyncDispose]();
    await this.redis[Symbol.asyncDispose]();
    await rm(this.directory, { recursive: true, force: true });
  }
}

export interface TrialRepository {
  /** The bare repository. */
  readonly origin: string;
  /** A clone for each commit. */
  readonly clones: readonly string[];
}

export interface TrialHistory {
  readonly origin: string;
  readonly clone: string;
  /** The ids of the commits, the oldest first. */
  readonly commits: readonly string[];
}

async function writeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

export class TrialWorker {
  readonly #child: ChildProcess;
  /** The line by which it says that it takes jobs. */
  readonly said: { readonly worker: string; readonly metrics?: string };

  private constructor(child: ChildProcess, said: { readonly worker: string; readonly metrics?: string }) {
    this.#child = child;
    this.said = said;
  }

  static async start(
    words: readonly string[],
    env: NodeJS.ProcessEnv,
    through: readonly string[] = [],
  ): Promise<TrialWorker> {
    const [command = '', ...rest] = [...through, process.execPath, bin, 'worker', ...words];
    const child = spawn(command, rest, {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (!child.stdout) throw new Error('no output');
    for await (const line of createInterface(child.stdout)) {
      return new TrialWorker(child, JSON.parse(line));
    }
    throw new Error('the worker ended before it took jobs');
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Takes its network away, or gives it back; for a worker apart. */
  async network(state: 'up' | 'down'): Promise<void> {
    await promisify(execFile)('nsenter', ['-t', String(this.pid), '-n', 'ip', 'link', 'set', 'lo', state]);
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  /** Asks it to end; returns its exit code. */
  async stop(): Promise<number | null> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
    return this.#child.exitCode;
  }
}

/**
 * Without how long it took and which worker it was: the rest must be the same byte for byte. On a checkout of a near
 * commit, or for a caller with uncommitted files, files that the commit does not have are shown in a confined mount and
 * are looked at too, and the answer says so; what was found must be the same.
 */
export function comparable(outcome: EvaluationOutcome, commit: 'same' | 'near'): unknown {
  if (outcome.kind === 'stale') return outcome;
  const { worker: _, evaluations, ...rest } = outcome;
  return {
    ...rest,
    evaluations: evaluations.map(({ durationMs: __, way, confinement, evaluatedFiles, ...evaluation }) =>
      commit === 'same' ? { way, confinement, evaluatedFiles, ...evaluation } : evaluation,
    ),
  };
}

/** Every file that was looked at. */
export function lookedAt(outcome: EvaluationOutcome): readonly string[] {
  return outcome.kind === 'stale' ? [] : outcome.evaluations.flatMap(({ evaluatedFiles }) => evaluatedFiles);
}

/** A small library with a user of it, in TypeScript. */
export const typescriptFiles = {
  'tsconfig.json':
    '{"compilerOptions":{"strict":true,"lib":["es2023"],"target":"es2022","module":"nodenext","types":[]}}\n',
  'package.json': '{"name":"sums","type":"module"}\n',
  'src/sum.ts': 'export function sum(a: number, b: number): number {\n  return a + b;\n}\n',
  'src/use.ts': "import { sum } from './sum.js';\nexport const three: number = sum(1, 2);\n",
} as const;
