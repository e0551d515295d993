/**
 * Notifies a client of events in its workspaces.
 *
 * Invariants: bursts of events are debounced; if a notification cannot be sent, only that notification is lost.
 */
import type { LogLevel } from '../base/log.ts';
import type { FileNotice, Notice, WorkspaceNotices } from '../tools/workspace-notices.ts';
import { Debounce } from './debounce.ts';
import { referencesUri } from './resource-uri.ts';

export interface NotificationsOptions {
  readonly notices: Pick<WorkspaceNotices, 'noticed'>;
  /** The diagnostics resources of a file that the client is subscribed to. */
  readonly followed: (fileUri: string) => readonly string[];
  readonly announce: Announce;
  readonly updated: (uri: string) => void;
  /** Requests the diagnostics of subscribed files again, since files have changed. */
  readonly measureAgain: () => void;
}

/** Sends a message on a channel; `data` is sent as JSON text. */
type Announce = (level: LogLevel, channel: string, data: Readonly<Record<string, unknown>>) => void;

const calmMs = { diagnostics: 2000, references: 3000, regression: 500, measuring: 300 } as const;

export class Notifications implements Disposable {
  readonly #options: NotificationsOptions;
  readonly #subscription: Disposable;
  readonly #changed = new Map<string, FileNotice>();
  /** Files whose diagnostics changed since the last notification, with the error count before. */
  readonly #compared = new Map<string, { readonly before: number; readonly now: number }>();
  readonly #readyServers = new Set<string>();
  readonly #tellDiagnostics = new Debounce(calmMs.diagnostics, () => this.#diagnostics());
  readonly #tellReferences = new Debounce(calmMs.references, () => this.#references());
  readonly #tellRegressions = new Debounce(calmMs.regression, () => this.#regressions());
  readonly #measure: Debounce;
  #changedFiles = 0;

  constructor(options: NotificationsOptions) {
    this.#options = options;
    this.#measure = new Debounce(calmMs.measuring, options.measureAgain);
    this.#subscription = options.notices.noticed.subscribe((notice) => this.#receive(notice));
  }

  [Symbol.dispose](): void {
    const parts = [this.#subscription, this.#tellDiagnostics, this.#tellReferences, this.#tellRegressions];
    for (const part of [...parts, this.#measure]) part[Symbol.dispose]();
  }

  #receive(notice: Notice): void {
    switch (notice.kind) {
      case 'diagnostics':
        for (const file of notice.files) this.#note(file);
        this.#tellDiagnostics.poke();
        return;
      case 'server':
        if (notice.event.kind === 'ready') this.#ready(notice.event);
        else this.#health(notice.event.kind, notice.event.message);
        return;
      case 'disk':
        this.#changedFiles += notice.changedFiles === 'unknown' ? 1 : notice.changedFiles;
        this.#tellReferences.poke();
        this.#measure.poke();
        return;
    }
  }

  #note(file: FileNotice): void {
    this.#changed.set(file.uri, file);
    if (file.errorsBefore === undefined) return;
    const before = this.#compared.get(file.uri)?.before ?? file.errorsBefore;
    this.#compared.set(file.uri, { before, now: file.errors });
    this.#tellRegressions.poke();
  }

  #diagnostics(): void {
    const { followed, announce, updated } = this.#options;
    const updates = [...this.#changed.values()].map(({ uri, errors, warnings }) => ({
      uri,
      errors,
      warnings,
    }));
    this.#changed.clear();
    announce('info', 'diagnostics', { type: 'diagnostics', updates });
    for (const uri of new Set(updates.flatMap((file) => followed(file.uri)))) updated(uri);
  }

  #references(): void {
    const count = this.#changedFiles;
    this.#changedFiles = 0;
    this.#options.updated(referencesUri);
    this.#options.announce('info', 'file_watcher', {
      type: 'stale_references',
      files_changed: count,
      message: `${count} file(s) changed on disk; references found before may be out of date`,
    });
  }

  #regressions(): void {
    for (const [uri, { before, now }] of this.#compared) {
      if (now <= before) continue;
      const delta = now - before;
      this.#options.announce('warning', 'diagnostic_regression', {
        type: 'diagnostic_regression',
        file: uri,
        errors: now,
        delta,
        message: `${delta} new error(s) in ${uri}`,
      });
    }
    this.#compared.clear();
  }

  #ready({ server, message }: ServerNotice): void {
    if (this.#readyServers.has(server)) return;
    this.#readyServers.add(server);
    this.#options.announce('info', 'workspace', { type: 'workspace_ready', message });
  }

  #health(status: 'crashed' | 'recovered', message: string): void {
    const level = status === 'crashed' ? 'error' : 'info';
    this.#options.announce(level, 'health', { type: 'process_health', status, message });
  }
}

type ServerNotice = Extract<Notice, { readonly kind: 'server' }>['event'];
