/**
 * Runs commands from the keyboard, key sequences included.
 *
 * Invariant: a key that begins no sequence of an enabled command is left alone, so that the editor and the browser get it.
 */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Command, CommandStore } from './command-store.ts';
import { isModifierPress, type KeySequence, matches } from './key-sequence.ts';

/** What can follow the keys pressed so far. */
export interface PendingKeys {
  readonly pressed: string;
  readonly continuations: readonly { readonly key: string; readonly title: string }[];
}

/** Long enough to read the list, short enough to forget a key pressed by mistake. */
const sequenceMs = 5_000;
const listMs = 600;

export class KeyDispatcher {
  readonly #commands: CommandStore;
  readonly #platform: 'mac' | 'other';
  readonly #list = signal<PendingKeys | undefined>(undefined);
  #matched: readonly { readonly keys: KeySequence; readonly command: Command }[] = [];
  #depth = 0;
  #timers: ReturnType<typeof setTimeout>[] = [];

  constructor(commands: CommandStore, platform: 'mac' | 'other') {
    this.#commands = commands;
    this.#platform = platform;
  }

  /** Shown 600 ms after the first key of a sequence. */
  get pending(): ReadonlySignal<PendingKeys | undefined> {
    return this.#list;
  }

  /** Before the editor sees the key: our sequences win over its own. */
  handle(event: KeyboardEvent): void {
    if (isModifierPress(event) || event.isComposing) return;
    const isContinued = this.#depth > 0;
    const from = isContinued ? this.#matched : this.#enabled();
    const matched = from.filter(({ keys }) => {
      const chord = keys[this.#depth];
      return chord !== undefined && matches(chord, event, this.#platform);
    });
    const done = matched.find(({ keys }) => keys.length === this.#depth + 1);
    if (matched.length === 0) {
      if (isContinued) {
        this.#reset();
        // The second key of a sequence that leads nowhere must not type a letter.
        stop(event);
      }
      return;
    }
    stop(event);
    if (done !== undefined) {
      this.#reset();
      this.#commands.run(done.command.id);
      return;
    }
    this.#wait(matched);
  }

  #enabled(): readonly { readonly keys: KeySequence; readonly command: Command }[] {
    return this.#commands.bindings.peek().filter(({ command }) => command.isEnabled?.() !== false);
  }

  #wait(matched: readonly { readonly keys: KeySequence; readonly command: Command }[]): void {
    this.#matched = matched;
    this.#depth += 1;
    this.#clearTimers();
    const pressed =
      matched[0]?.keys
        .slice(0, this.#depth)
        .map(({ shown }) => shown)
        .join(' ') ?? '';
    const continuations = matched.map(({ keys, command }) => ({
      key: keys[this.#depth]?.shown ?? '',
      title: command.title,
    }));
    this.#timers = [
      setTimeout(() => {
        this.#list.value = { pressed, continuations };
      }, listMs),
      setTimeout(() => this.#reset(), sequenceMs),
    ];
  }

  #reset(): void {
    this.#depth = 0;
    this.#matched = [];
    this.#list.value = undefined;
    this.#clearTimers();
  }

  #clearTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }
}

function stop(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
