/**
 * The recent crashes and failed starts of one kind of server, and whether and when the next start may be made.
 *
 * Invariant: a crash counts only if the crashed server was started after the last counted crash. A fault that kills
 * several replicas at once therefore counts once; it counts as repeated only if their replacements crash too.
 */
import { Failure, messageOf } from '../../base/failure.ts';
import { ConnectFailed, ServerNotFound } from '../../lsp/server-failure.ts';
import { ServerNotConfined } from '../confinement-need.ts';

/** How long the next start waits after the first crash and after the second; a third refuses it. */
const pausesMs = [0, 250] as const;

/** Crashes older than this are forgotten: a server that ran for this long does not crash repeatedly. */
const windowMs = 60_000;

interface Crash {
  readonly at: number;
  readonly thrown: unknown;
}

export class CrashRecord {
  readonly #name: string;
  readonly #now: () => number;
  #crashes: readonly Crash[] = [];

  constructor(name: string, now: () => number = () => performance.now()) {
    this.#name = name;
    this.#now = now;
  }

  /** Records that a server started at `startedAt` crashed, or that its start failed. */
  add(thrown: unknown, startedAt: number): void {
    // A missing binary, a refused connection or a missing sandbox is no crash; the failure names its own remedy.
    if (thrown instanceof ServerNotFound || thrown instanceof ConnectFailed) return;
    if (thrown instanceof ServerNotConfined) return;
    const last = this.#recent().at(-1);
    if (last !== undefined && startedAt < last.at) return;
    this.#crashes = [...this.#recent(), { at: this.#now(), thrown }];
  }

  clear(): void {
    this.#crashes = [];
  }

  /** Why no further start may be made; undefined if one may be made after `pauseMs`. */
  get refusal(): CrashesRepeatedly | undefined {
    const recent = this.#recent();
    const last = recent.at(-1);
    if (last === undefined || recent.length <= pausesMs.length) return undefined;
    return new CrashesRepeatedly(this.#name, recent.length, last.thrown);
  }

  /** How long the next start must be delayed, from now. */
  get pauseMs(): number {
    const recent = this.#recent();
    const last = recent.at(-1);
    if (last === undefined) return 0;
    return Math.max(0, last.at + (pausesMs[recent.length - 1] ?? 0) - this.#now());
  }

  #recent(): readonly Crash[] {
    const oldest = this.#now() - windowMs;
    return this.#crashes.filter(({ at }) => at > oldest);
  }
}

/** Every replacement of a crashed server crashed as well, so no more are started for a while. */
export class CrashesRepeatedly extends Failure {
  readonly code = 'servers/crashes-repeatedly';
  readonly remedy =
    'Fix what its last output says, then restart it; without that it is tried again a minute after its last crash.';

  constructor(name: string, times: number, last: unknown) {
    super(`${name} has crashed ${times} times within a minute; the last time: ${messageOf(last)}`, {
      cause: last,
    });
  }
}
