/** What every feature of the editor is built over. */
import type { Log } from '../base/log.ts';
import type { Connection } from '../host/connection.ts';
import type { Forerun } from '../host/forerun.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { EditorEvent } from './protocol.ts';

export interface EditorContext {
  readonly forerun: Forerun;
  /** The editor as a client: its tools, sessions and audit trail. */
  readonly connection: Connection;
  /** The one workspace that the editor shows. */
  readonly live: LiveWorkspace;
  /** Aborts when the editor is closed. Work that must survive the page that asked for it runs under it. */
  readonly signal: AbortSignal;
  /** Sends an event to every page. */
  readonly publish: (event: EditorEvent) => void;
  readonly log: Log;
}
