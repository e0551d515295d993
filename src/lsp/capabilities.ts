/**
 * The capabilities of a server: those of the handshake and those registered and unregistered since.
 *
 * Invariant: a capability is either announced (and not `false` or null) or registered; nothing else counts.
 */
import { Channel } from '../base/channel.ts';
import { isRecord } from '../base/record.ts';
import type { ServerInfo } from './internal/handshake.ts';

export interface Registration {
  readonly id: string;
  readonly method: string;
  readonly options: unknown;
}

export type SyncKind = 'none' | 'full' | 'incremental';

export class Capabilities {
  /** Emits when something was registered or unregistered. */
  readonly changed = new Channel<void>();
  readonly #registrations = new Map<string, Registration>();
  #raw: Readonly<Record<string, unknown>> = {};
  #info: ServerInfo = {};
  #identifiers: readonly (string | undefined)[] | undefined;

  /** The name and version that the server gave in the handshake. */
  get info(): ServerInfo {
    return this.#info;
  }

  /** The capabilities of the handshake as the server sent them. */
  get raw(): Readonly<Record<string, unknown>> {
    return this.#raw;
  }

  /** Whether the server has a provider, e.g. `hoverProvider`, announced or registered. */
  has(provider: string): boolean {
    const announced = this.#raw[provider];
    if (announced !== undefined && announced !== null && announced !== false) return true;
    const method = registeredMethods[provider] ?? methodOf(provider);
    return this.registrations(method).length > 0;
  }

  /** The current registrations for a method. */
  registrations(method: string): readonly Registration[] {
    return [...this.#registrations.values()].filter((registration) => registration.method === method);
  }

  /** All current registrations. */
  get registered(): readonly Registration[] {
    return [...this.#registrations.values()];
  }

  get syncKind(): SyncKind {
    const registered = this.registrations('textDocument/didChange').at(-1)?.options;
    if (isRecord(registered) && registered.syncKind !== undefined) return syncKindOf(registered.syncKind);
    const sync = this.#raw.textDocumentSync;
    return syncKindOf(isRecord(sync) ? sync.change : sync);
  }

  /** Whether folders may be added and removed while the server runs. */
  get takesFolderChanges(): boolean {
    const method = 'workspace/didChangeWorkspaceFolders';
    const { workspace } = this.#raw;
    const folders = isRecord(workspace) ? workspace.workspaceFolders : undefined;
    const announced = isRecord(folders) ? folders.changeNotifications : undefined;
    // A string is the id of a registration that the server may later withdraw.
    return announced === true || typeof announced === 'string' || this.registrations(method).length > 0;
  }

  /** The identifiers under which diagnostics are pulled; most servers have one, which may be undefined. */
  get diagnosticIdentifiers(): readonly (string | undefined)[] {
    // Cached: read with every pull, and changed once or twice in the lifetime of a server.
    this.#identifiers ??= this.#readIdentifiers();
    return this.#identifiers;
  }

  announce(raw: Readonly<Record<string, unknown>>, info: ServerInfo = {}): void {
    this.#raw = raw;
    this.#info = info;
    this.#identifiers = undefined;
  }

  register(registration: Registration): void {
    this.#registrations.set(registration.id, registration);
    this.#identifiers = undefined;
    this.changed.emit();
  }

  unregister(id: string): void {
    if (!this.#registrations.delete(id)) return;
    this.#identifiers = undefined;
    this.changed.emit();
  }

  #readIdentifiers(): readonly (string | undefined)[] {
    const offers = this.registrations('textDocument/diagnostic').map((registration) => registration.options);
    const announced = this.#raw.diagnosticProvider;
    if (isRecord(announced)) offers.unshift(announced);
    const names = offers.map((offer) =>
      isRecord(offer) && typeof offer.identifier === 'string' ? offer.identifier : undefined,
    );
    return names.length === 0 ? [undefined] : [...new Set(names)];
  }
}

/** Providers whose method is not simply `textDocument/` and their own name. */
const registeredMethods: Readonly<Record<string, string>> = {
  workspaceSymbolProvider: 'workspace/symbol',
  executeCommandProvider: 'workspace/executeCommand',
  documentFormattingProvider: 'textDocument/formatting',
  documentRangeFormattingProvider: 'textDocument/rangeFormatting',
  documentOnTypeFormattingProvider: 'textDocument/onTypeFormatting',
  callHierarchyProvider: 'textDocument/prepareCallHierarchy',
  typeHierarchyProvider: 'textDocument/prepareTypeHierarchy',
  colorProvider: 'textDocument/documentColor',
};

function methodOf(provider: string): string {
  return `textDocument/${provider.replace(/Provider$/, '')}`;
}

function syncKindOf(value: unknown): SyncKind {
  return value === 2 ? 'incremental' : value === 1 ? 'full' : 'none';
}
