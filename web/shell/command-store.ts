/**
 * Commands by id, and the keys that run them.
 *
 * Invariant: a key sequence runs at most one command; a key the user chose wins over one that a command came with.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { IconName } from '../ui/icon.tsx';
import { type KeySequence, parseKeys } from './key-sequence.ts';

export interface Command {
  /** `file.save`; stable, since keys are bound to it. */
  readonly id: string;
  /** As the palette shows it: `Future: show what would break`. */
  readonly title: string;
  readonly icon?: IconName;
  /** `Ctrl K F` means Ctrl K, then F. Several: each runs it, the first is shown. */
  readonly keys?: readonly string[];
  readonly run: () => void;
  /** Absent: always. A command that cannot run now is not in the palette, and its keys are left to the browser. */
  readonly isEnabled?: () => boolean;
  /** Left out of the palette: it makes sense by key only. */
  readonly isHidden?: boolean;
}

export class CommandStore {
  readonly #commands = signal<ReadonlyMap<string, Command>>(new Map());
  readonly #chosen: ReadonlySignal<Readonly<Record<string, readonly string[]>>>;
  /** Newest last: the palette shows what was used before first. */
  readonly recent = signal<readonly string[]>([]);

  /** `chosen`: the keys that the user gave to commands, by command id. */
  constructor(chosen: ReadonlySignal<Readonly<Record<string, readonly string[]>>>) {
    this.#chosen = chosen;
  }

  readonly all: ReadonlySignal<readonly Command[]> = computed(() => [...this.#commands.value.values()]);

  readonly bindings: ReadonlySignal<readonly { readonly keys: KeySequence; readonly command: Command }[]> =
    computed(() => {
      const chosen = this.#chosen.value;
      const own = this.all.value.flatMap((command) =>
        (chosen[command.id] ?? command.keys ?? []).map((keys) => ({
          keys: parseKeys(keys),
          command,
          isChosen: command.id in chosen,
        })),
      );
      return [...own].sort((a, b) => Number(b.isChosen) - Number(a.isChosen));
    });

  add(commands: readonly Command[]): void {
    const next = new Map(this.#commands.peek());
    for (const command of commands) next.set(command.id, command);
    this.#commands.value = next;
  }

  /** The keys of a command as they are now, the first binding only. */
  keysOf(id: string): readonly string[] {
    const first = (this.#chosen.value[id] ?? this.#commands.value.get(id)?.keys ?? [])[0];
    return first === undefined ? [] : parseKeys(first).map((chord) => chord.shown);
  }

  run(id: string): void {
    const command = this.#commands.peek().get(id);
    if (command === undefined || command.isEnabled?.() === false) return;
    this.recent.value = [...this.recent.peek().filter((each) => each !== id), id].slice(-20);
    command.run();
  }
}
