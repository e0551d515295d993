/**
 * Settings of the page, with the definitions that parts bring.
 *
 * Invariant: a value that its definition does not allow is read as the default.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';

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

export type SettingValues = Readonly<Record<string, SettingValue>>;

export class SettingStore {
  readonly definitions = signal<readonly SettingDefinition[]>([]);
  readonly values = signal<SettingValues>({});
  /** The keys that the user gave to commands. */
  readonly keys = signal<Readonly<Record<string, readonly string[]>>>({});
  /** Called with what the user changed, to keep it. */
  onChange: (() => void) | undefined;

  define(definitions: readonly SettingDefinition[]): void {
    this.definitions.value = [...this.definitions.peek(), ...definitions];
  }

  /** Follows the setting; safe to call in a render. */
  get(key: string): SettingValue | undefined {
    const definition = this.definitions.value.find((each) => each.key === key);
    const value = this.values.value[key];
    return definition === undefined ? value : isAllowed(definition, value) ? value : definition.fallback;
  }

  isOn(key: string): boolean {
    return this.get(key) === true;
  }

  signal(key: string): ReadonlySignal<SettingValue | undefined> {
    return computed(() => this.get(key));
  }

  set(key: string, value: SettingValue): void {
    this.values.value = { ...this.values.peek(), [key]: value };
    this.onChange?.();
  }

  reset(key: string): void {
    const { [key]: _, ...rest } = this.values.peek();
    this.values.value = rest;
    this.onChange?.();
  }

  isChanged(key: string): boolean {
    return key in this.values.value;
  }

  setKeys(command: string, keys: readonly string[] | undefined): void {
    const { [command]: _, ...rest } = this.keys.peek();
    this.keys.value = keys === undefined ? rest : { ...rest, [command]: keys };
    this.onChange?.();
  }
}

function isAllowed(definition: SettingDefinition, value: SettingValue | undefined): value is SettingValue {
  if (value === undefined || typeof value !== typeof definition.fallback) return false;
  if (definition.choices !== undefined) return definition.choices.some((choice) => choice.value === value);
  if (typeof value === 'number' && definition.bounds !== undefined) {
    return value >= definition.bounds.least && value <= definition.bounds.most;
  }
  return true;
}
