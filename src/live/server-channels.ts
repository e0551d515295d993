/** Events of the servers of one live workspace, published to every connection. */
import { Channel } from '../base/channel.ts';
import type { Replica } from '../servers/pool/replica.ts';
import type { ServerEvent } from '../servers/pool/server-event.ts';
import type { FileDiagnostics } from '../servers/proof.ts';

export class ServerChannels {
  /** Servers that became ready, crashed or recovered. */
  readonly events = new Channel<ServerEvent>();
  /** Servers that have started, before any caller acquires them. */
  readonly started = new Channel<Replica>();
  /** Diagnostics of the unedited files, whichever connection asked for them. */
  readonly diskDiagnostics = new Channel<readonly FileDiagnostics[]>();
  /** The name of the server that a caller has restarted; undefined for all. */
  readonly restarted = new Channel<string | undefined>();
}
