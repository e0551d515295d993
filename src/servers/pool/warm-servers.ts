/**
 * Uses servers that a broker keeps running for all processes of this machine.
 *
 * Invariant: no failure of the broker reaches the caller. If the broker cannot provide a server, one is started here;
 * only the failure of that start is thrown.
 */

import { Failure, messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { neverAborts } from '../../base/never-aborts.ts';
import type { ServerTransport } from '../../lsp/server-options.ts';
import type { LanguageId } from '../language.ts';
import type { ProjectionMode } from '../projection.ts';
import type { LocatedServer, TrustedPlace } from '../server-register.ts';
import type { Replica } from './replica.ts';
import { type ReplicaRequest, startReplica } from './replica-start.ts';

export interface WarmServers {
  /** A transport to a running server equivalent to the one that would be started here; undefined if there is none. */
  connect(
    located: LocatedServer,
    place: TrustedPlace,
    signal: AbortSignal,
  ): Promise<ServerTransport | undefined>;
  /** The servers now running for a workspace that equal what `locate` finds; starts none. */
  running(
    place: TrustedPlace,
    locate: (language: LanguageId) => Promise<LocatedServer>,
  ): Promise<readonly LocatedServer[]>;
}

/** Asks the broker to replace its servers, because they may have missed changes on disk. */
export const renewAtBroker = 'forerun/renew';

/** A replica on a brokered server if one is equivalent, else on a server of its own. */
export async function startWarmReplica(
  warm: WarmServers | undefined,
  request: ReplicaRequest,
  mode: ProjectionMode,
  signal: AbortSignal,
): Promise<Replica> {
  // A mount is private, and added folders or a load scope would affect the other clients of the broker.
  const isOwn = request.folders.length > 0 || (request.scope?.places.length ?? 0) > 0;
  const canShare = mode === 'buffers' && request.transport.kind === 'stdio' && !isOwn;
  const transport = warm && canShare ? await reach(warm, request, signal) : undefined;
  if (!transport) return startReplica(request, mode, signal);
  try {
    return await startReplica({ ...request, transport }, mode, signal);
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof Failure)) throw thrown;
    warn(request.log, thrown);
    return startReplica(request, mode, signal);
  }
}

async function reach(
  warm: WarmServers,
  { definition, command, workspace, trust, log }: ReplicaRequest,
  signal: AbortSignal,
): Promise<ServerTransport | undefined> {
  try {
    return await warm.connect({ definition, command }, { workspace, trust }, signal);
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof Failure)) throw thrown;
    warn(log, thrown);
    return undefined;
  }
}

function warn(log: Log, { code, message }: Failure): void {
  log.warning('broker.passed-over', { code, error: message });
}

/** Asks the broker behind these replicas, if there is one, to replace its servers before the replicas are disposed. */
export async function renewBrokered(replicas: readonly Replica[], log: Log): Promise<void> {
  const lent = replicas.find(({ setup, server }) => setup.isBrokered && server.isRunning);
  if (!lent) return;
  try {
    await lent.server.request(renewAtBroker, undefined, { timeoutMs: renewMs }, neverAborts());
  } catch (thrown) {
    // A broker that does not answer is shutting down, and its servers with it.
    log.warning('broker.renewal-failed', { code: 'servers/broker-renewal-failed', error: messageOf(thrown) });
  }
}

const renewMs = 5000;
