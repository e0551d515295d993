/**
 * Where a server runs: on the disk or in a mount, confined or not.
 *
 * Invariant: a server that executes code of the workspace is confined wherever the machine can confine it, whether or
 * not the workspace is trusted. Where it cannot, the server runs only for a trusted workspace, and its answers say
 * so.
 */

import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { ServerTransport } from '../lsp/server-options.ts';
import { type ConfineOptions, confineDisk, confineOverlay } from '../sandbox/confined-workspace.ts';
import { probeConfinement } from '../sandbox/confinement.ts';
import {
  type Launch,
  type LaunchRequest,
  type LaunchSite,
  openEnvironment,
  type ReachedSocket,
} from '../sandbox/launch.ts';
import { probeMounts } from '../sandbox/mount.ts';
import { mountWorkspace, type ShownWorkspace } from '../sandbox/mounted-workspace.ts';
import type { Tier } from '../sandbox/sandbox.ts';
import type { Trust } from '../workspace/trust.ts';
import { needsConfinement, ServerNotConfined } from './confinement-need.ts';
import type { ProjectionMode } from './projection.ts';
import { type EnvironmentRequest, type ServerEnvironment, serverEnvironment } from './server-environment.ts';
import { installationsOf } from './server-installation.ts';

export type SandboxTiers = () => readonly Tier[];

export interface SiteRequest extends EnvironmentRequest {
  /** The sandbox tiers that the user allows, asked before each start; absent: the default ones. */
  readonly tiers?: SandboxTiers | undefined;
  /** The argument vector as it was found on this machine. */
  readonly command: readonly string[];
  readonly transport: ServerTransport;
  readonly log: Log;
}

/** Whether the programs behind an answer were confined. */
export type ServerConfinement =
  /** Not started: they could not be confined, and the workspace is not trusted. */
  | { readonly kind: 'refused' }
  /** They execute no code of the workspace that a change could contain. */
  | { readonly kind: 'not-needed' }
  | { readonly kind: 'confined' }
  /**
   * Confined, if at all, by the process that started the server: a broker, by the same rule, or a server that the
   * user connected.
   */
  | { readonly kind: 'elsewhere' }
  /** Not confined, because the machine cannot; the workspace is trusted. */
  | { readonly kind: 'open'; readonly because: string };

export interface Site extends AsyncDisposable {
  readonly confinement: ServerConfinement;
  readonly trust: Trust;
  /** Starts a program with the environment of the server. */
  launch(program: Omit<LaunchRequest, 'inherited'>): Promise<Launch>;
  /** Opens a socket of the server by its own path for it; absent: that path leads there from outside, too. */
  socketAt?(path: string): Promise<ReachedSocket>;
}

export interface ShownSite extends Site {
  readonly mount: ShownWorkspace;
}

/** The site of a server that is shown overlays in its buffers. */
export async function openSite(request: SiteRequest, signal: AbortSignal): Promise<Site> {
  const { confinement, environment, place } = await openPlace(request, confineDisk, 'buffers', signal);
  return siteOf(place ?? plainSite(request), { confinement, environment, trust: request.trust });
}

/** The site of a server that is shown overlays as files. */
export async function openMountedSite(request: SiteRequest, signal: AbortSignal): Promise<ShownSite> {
  const { confinement, environment, place } = await openPlace(request, confineOverlay, 'mounted', signal);
  const mount = place ?? (await mountOpen(request, environment, signal));
  return { ...siteOf(mount, { confinement, environment, trust: request.trust }), mount };
}

interface OpenedPlace<Place> {
  readonly confinement: ServerConfinement;
  readonly environment: ServerEnvironment;
  /** Absent if the server is not confined. */
  readonly place: Place | undefined;
}

type Confine<Place> = (
  workspace: { readonly root: string },
  options: ConfineOptions,
  signal: AbortSignal,
) => Promise<Place>;

async function openPlace<Place extends LaunchSite>(
  request: SiteRequest,
  confine: Confine<Place>,
  mode: ProjectionMode,
  signal: AbortSignal,
): Promise<OpenedPlace<Place>> {
  const open = async (confinement: ServerConfinement): Promise<OpenedPlace<Place>> => {
    const environment = await serverEnvironment(request, { mode, confinement: 'open' });
    return { confinement, environment, place: undefined };
  };
  const { definition, command, workspace, trust, env, tiers, log } = request;
  const start = { ...definition, command, root: workspace.root };
  // A server that runs elsewhere is confined by the process that started it, or not at all.
  if (request.transport.kind !== 'stdio' || !needsConfinement(start, mode))
    return open({ kind: 'not-needed' });
  const unconfined = (because: string): Promise<OpenedPlace<Place>> => {
    if (trust === 'untrusted') throw new ServerNotConfined(start, because);
    log.warning('server.not-confined', { name: definition.name, code: 'servers/not-confined', because });
    return open({ kind: 'open', because });
  };
  const confinement = await probeConfinement({ env, log, ...(tiers && { tiers: tiers() }) }, signal);
  if (confinement.kind === 'unavailable') return unconfined(confinement.because);
  const environment = await serverEnvironment(request, { mode, confinement: 'confined' });
  try {
    const { writable, inherited } = environment;
    const readable = installationsOf(command);
    const place = await confine(workspace, { confinement, writable, readable, env: inherited, log }, signal);
    return { confinement: { kind: 'confined' }, environment, place };
  } catch (thrown) {
    signal.throwIfAborted();
    return unconfined(messageOf(thrown));
  }
}

async function mountOpen(
  { workspace, log }: SiteRequest,
  { inherited: env }: ServerEnvironment,
  signal: AbortSignal,
): Promise<ShownWorkspace> {
  return mountWorkspace(workspace, { method: await probeMounts({ log, env }, signal), log }, signal);
}

/** The workspace itself, with all rights of this process. */
function plainSite({ workspace: { root } }: SiteRequest): LaunchSite {
  return {
    root,
    confinement: 'open',
    launch: async (request) => ({
      command: request.command,
      cwd: request.cwd ?? root,
      env: openEnvironment(request),
    }),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

function siteOf(
  place: LaunchSite,
  {
    confinement,
    environment,
    trust,
  }: Pick<Site, 'confinement' | 'trust'> & { environment: ServerEnvironment },
): Site {
  return {
    confinement,
    trust,
    launch: ({ env, ...program }) => {
      const { inherited, variables } = environment;
      return place.launch({ ...program, inherited, env: { ...variables, ...env } });
    },
    ...(place.socketAt && { socketAt: place.socketAt }),
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}
