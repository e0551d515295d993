/**
 * Short messages at the bottom right.
 *
 * Invariants: at most three are shown; all are kept in the list of messages. Errors stay until they are closed.
 */
import { signal } from '@preact/signals';
import type { IconName } from '../ui/icon.tsx';

export interface Toast {
  readonly title: string;
  readonly detail?: string;
  readonly icon?: IconName;
  /** The class of its colour: `clean`, `break`, `caution`, `checking`. */
  readonly colour?: string;
  readonly action?: { readonly title: string; readonly run: () => void };
  /** It stays until it is closed. */
  readonly isError?: boolean;
  /** Milliseconds it stays; 6 s if absent. */
  readonly forMs?: number;
}

export interface ShownToast extends Toast {
  readonly id: number;
  readonly at: Date;
}

const shownMs = 6_000;
const mostShown = 3;
const mostKept = 200;

export class ToastStore {
  readonly shown = signal<readonly ShownToast[]>([]);
  /** Every message of this page, the newest last. */
  readonly kept = signal<readonly ShownToast[]>([]);
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();
  #nextId = 0;
  #isPaused = false;

  show(toast: Toast): number {
    const shown = { ...toast, id: this.#nextId++, at: new Date() };
    this.kept.value = [...this.kept.peek(), shown].slice(-mostKept);
    const next = [...this.shown.peek(), shown];
    for (const old of next.slice(0, -mostShown)) this.#forget(old.id);
    this.shown.value = next.slice(-mostShown);
    if (!this.#isPaused) this.#start(shown);
    return shown.id;
  }

  close(id: number): void {
    this.#forget(id);
    this.shown.value = this.shown.peek().filter((toast) => toast.id !== id);
  }

  /** While the pointer or the focus is on one, none goes. */
  pause(): void {
    this.#isPaused = true;
    for (const { id } of this.shown.peek()) this.#forget(id);
  }

  resume(): void {
    this.#isPaused = false;
    for (const toast of this.shown.peek()) this.#start(toast);
  }

  #start(toast: ShownToast): void {
    if (toast.isError === true) return;
    this.#timers.set(
      toast.id,
      setTimeout(() => this.close(toast.id), toast.forMs ?? shownMs),
    );
  }

  #forget(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }
}
