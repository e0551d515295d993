/**
 * Settings of the page, with the definitions that parts bring.
 *
 * Invariant: a value that its definition does not allow is read as the default.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { PageLink } from '../link/page-link.ts';

export type SettingValue = boolean | string | number;

export interface SettingDefinition {
  /** `editor.theme`; stable. */
  readonly key: string;
  readonly group: string;
  readonly title: string;
  /** One sentence. */
  readonly sentence: string;
  readonly fallback: SettingValue;
  /** Absent: a switch. */
  readonly choices?: readonly { readonly value: SettingValue; readonly title: string }[];
  /** For numbers. */
  readonly bounds?: { readonly least: number; readonly most: number };
  readonly scope: 'user' | 'workspace';
}

export class SettingStore {
  readonly definitions = signal<readonly SettingDefinition[]>([]);
  readonly #link: PageLink;
  readonly #kept = signal<Settings>({ user: {}, workspace: {}, keys: {} });

  constructor(link: PageLink) {
    this.#link = link;
    link.onSnapshot(({ settings }) => {
      if (settings !== undefined) this.#kept.value = settings;
    });
    link.on('setting.changed', ({ settings }) => {
      this.#kept.value = settings;
    });
  }

  /** The keys that the user gave to commands. */
  readonly keys: ReadonlySignal<Readonly<Record<string, readonly string[]>>> = computed(
    () => this.#kept.value.keys,
  );

  define(definitions: readonly SettingDefinition[]): void {
    this.definitions.value = [...this.definitions.peek(), ...definitions];
  }

  /** Follows the setting; safe to call in a render. */
  get(key: string): SettingValue | undefined {
    const definition = this.definitions.value.find((each) => each.key === key);
    const { user, workspace } = this.#kept.value;
    const value = workspace[key] ?? user[key];
    if (definition === undefined) return value;
    return isAllowed(definition, value) ? value : definition.fallback;
  }

  isOn(key: string): boolean {
    return this.get(key) === true;
  }

  /** Absent value: the default again. The page shows it at once; the back end tells the other pages. */
  async set(key: string, value: SettingValue | undefined): Promise<void> {
    const scope = this.definitions.peek().find((each) => each.key === key)?.scope ?? 'user';
    const kept = this.#kept.peek();
    const { [key]: _, ...rest } = kept[scope];
    this.#kept.value = { ...kept, [scope]: value === undefined ? rest : { ...rest, [key]: value } };
    await this.#link.request('setting.set', { scope, key, ...(value !== undefined && { value }) }, never);
  }

  isChanged(key: string): boolean {
    const { user, workspace } = this.#kept.value;
    return key in user || key in workspace;
  }

  /** Absent keys: its own again. */
  async setKeys(command: string, keys: readonly string[] | undefined): Promise<void> {
    await this.#link.request(
      'setting.setKeys',
      { command, ...(keys !== undefined && { keys: [...keys] }) },
      never,
    );
  }
}

interface Settings {
  readonly user: Readonly<Record<string, SettingValue>>;
  readonly workspace: Readonly<Record<string, SettingValue>>;
  readonly keys: Readonly<Record<string, readonly string[]>>;
}

const never = new AbortController().signal;

function isAllowed(definition: SettingDefinition, value: SettingValue | undefined): value is SettingValue {
  if (value === undefined || typeof value !== typeof definition.fallback) return false;
  if (definition.choices !== undefined) return definition.choices.some((choice) => choice.value === value);
  if (typeof value === 'number' && definition.bounds !== undefined) {
    return value >= definition.bounds.least && value <= definition.bounds.most;
  }
  return true;
}
