/**
 * Servers that a broker keeps running for every process of this machine, taken where there is one.
 *
 * Invariant: whatever is wrong with the broker, the caller gets a server: failing that one is started here, and
 * only what is wrong with starting it is the caller's to hear.
 */

import { Failure, messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { neverAborts } from '../../base/never-aborts.ts';
import type { ServerTransport } from '../../lsp/server-options.ts';
import type { LanguageId } from '../language.ts';
import type { ProjectionMode } from '../projection-mode.ts';
import type { LocatedServer, TrustedPlace } from '../server-register.ts';
import type { Replica } from './replica.ts';
import { type ReplicaRequest, startReplica } from './replica-start.ts';

export interface WarmServers {
  /**
   * The way to a running server that answers exactly as the one that would be started here; undefined where there is
   * none to be had.
   */
  connect(
    located: LocatedServer,
    place: TrustedPlace,
    signal: AbortSignal,
  ): Promise<ServerTransport | undefined>;
  /** Those running for a workspace now that are what would be started here, as `locate` finds it; asking starts none. */
  running(
    place: TrustedPlace,
    locate: (language: LanguageId) => Promise<LocatedServer>,
  ): Promise<readonly LocatedServer[]>;
}

/** The request by which a broker is told to replace its servers: they may have missed what changed on disk. */
export const renewAtBroker = 'forerun/renew';

/** A replica on a warm server where that is the same thing, else on one of its own. */
export async function startWarmReplica(
  warm: WarmServers | undefined,
  request: ReplicaRequest,
  mode: ProjectionMode,
  signal: AbortSignal,
): Promise<Replica> {
  // A mount is nobody else's to look into, and added folders or a chosen scope would become everybody's.
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

/** Has the broker behind these replicas, if there is one, replace its servers before the replicas are left. */
export async function renewBrokered(replicas: readonly Replica[], log: Log): Promise<void> {
  const lent = replicas.find(({ isBrokered, server }) => isBrokered && server.isRunning);
  if (!lent) return;
  try {
    await lent.server.request(renewAtBroker, undefined, { timeoutMs: renewMs }, neverAborts());
  } catch (thrown) {
    // A broker that does not answer is on its way out, and its servers with it.
    log.warning('broker.renewal-failed', { code: 'servers/broker-renewal-failed', error: messageOf(thrown) });
  }
}

const renewMs = 5000;
