/**
 * Starts a server and the projection that shows it overlays, in buffers or in a mount.
 *
 * Invariant: if a start fails, everything it started is ended before the failure is thrown.
 */
import { neverAborts } from '../../base/never-aborts.ts';
import { LanguageServer } from '../../lsp/language-server.ts';
import type { Launch } from '../../sandbox/launch.ts';
import { extentOf, isSupplied } from '../../workspace/supplied-path.ts';
import { WorkspaceUntrusted } from '../../workspace/trust.ts';
import { Workspace } from '../../workspace/workspace.ts';
import { BufferProjection } from '../buffer-projection.ts';
import { type GoPlatform, goPlatform } from '../go/build-constraint.ts';
import { MountProjection } from '../mount-projection.ts';
import { noEffect, type ProjectionMode, type ProjectionParts } from '../projection.ts';
import { type ScopeRequest, scopedSettings, scopeFor } from '../scope/scope-request.ts';
import { mayPull } from '../server-definition.ts';
import { ServerEdits } from '../server-edits.ts';
import { openMountedSite, openSite, type Site, type SiteRequest } from '../server-site.ts';
import { BrokeredProjects } from '../typescript/brokered-projects.ts';
import type { ProjectConfigs } from '../typescript/project-configs.ts';
import type { ProjectsParts } from '../typescript/project-snapshots.ts';
import { type Projects, TypeScriptProjects } from '../typescript/typescript-projects.ts';
import { Replica } from './replica.ts';
import { applyStartupConfig } from './startup-config.ts';

/**
 * How long to wait for a server to load the workspace. After this it is used anyway, and its answers say that it was
 * still loading.
 */
export const defaultReadyTimeoutMs = 60_000;

export interface ReplicaRequest extends SiteRequest {
  readonly readyTimeoutMs?: number | undefined;
  /** How much of the workspace to load at first; absent: all of it. */
  readonly scope?: ScopeRequest | undefined;
  /** Which configuration files of the workspace define projects. */
  readonly configs: ProjectConfigs;
}

export async function startReplica(
  request: ReplicaRequest,
  mode: ProjectionMode,
  signal: AbortSignal,
): Promise<Replica> {
  refuseSupplied(request);
  return mode === 'buffers' ? startOnDisk(request, signal) : startInMount(request, signal);
}

async function startOnDisk(request: ReplicaRequest, signal: AbortSignal): Promise<Replica> {
  const { workspace, disk, definition } = request;
  const diskEpoch = disk.epoch;
  const { kind } = request.transport;
  const site = await openSite(request, signal);
  return orDisposed(site, async () => {
    const edits = new ServerEdits();
    const launch = await site.launch({ command: request.command, cwd: definition.cwd });
    const server = await startServer(request, { workspace, launch, site, mode: 'buffers', edits }, signal);
    // A server shared with other clients must load the whole workspace.
    const scope = kind === 'stdio' ? scopeFor(request, server) : undefined;
    const configs = configsOf(request);
    const projection = new BufferProjection({
      ...{ server, definition, workspace, disk, diskEpoch, scope, configs },
    });
    const shared = { isShared: kind === 'tcp', isBrokered: kind === 'socket' };
    const shown = { server, workspace, projection, site };
    const projects = kind === 'tcp' ? undefined : projectsOf(request, shown);
    const platform = platformOf(request);
    const parts = { server, definition, projection, edits, site, projects, platform, ...shared };
    return new Replica({ ...parts, mode: 'buffers' });
  });
}

async function startInMount(request: ReplicaRequest, signal: AbortSignal): Promise<Replica> {
  const { disk, definition } = request;
  const diskEpoch = disk.epoch;
  const site = await openMountedSite(request, signal);
  const { mount } = site;
  return orDisposed(site, async () => {
    if (request.startupConfig) await applyStartupConfig(mount, request.startupConfig);
    const workspace = await Workspace.open(mount.root);
    const edits = new ServerEdits();
    const launch = await site.launch({ command: request.command });
    const server = await startServer(request, { workspace, launch, site, mode: 'mounted', edits }, signal);
    const projection = new MountProjection({
      server,
      definition,
      mount,
      workspace,
      disk,
      diskEpoch,
      configs: configsOf(request),
      shown: request.startupConfig ?? noEffect,
    });
    const mode = mount.kind === 'namespace' ? 'mounted' : 'copied';
    const projects = projectsOf(request, { server, workspace, projection, site });
    const platform = platformOf(request);
    return new Replica({
      server,
      definition,
      projection,
      edits,
      mode,
      site,
      shown: site,
      projects,
      platform,
    });
  });
}

function platformOf({ definition, env }: ReplicaRequest): GoPlatform | undefined {
  return definition.buildConstraints === undefined ? undefined : goPlatform(env);
}

/** The configurations on disk, for a server that has projects. */
function configsOf({ definition, configs }: ReplicaRequest): ProjectionParts['configs'] {
  return definition.projects === undefined ? undefined : () => configs.under(noEffect, neverAborts());
}

function projectsOf(
  { definition, configs, transport, log }: ReplicaRequest,
  shown: Omit<ProjectsParts, 'configs' | 'log'>,
): Projects | undefined {
  if (definition.projects === undefined) return undefined;
  // For a server kept by a broker the broker answers, because it knows what the server shows.
  return transport.kind === 'socket'
    ? new BrokeredProjects(shown)
    : new TypeScriptProjects({ ...shown, configs, log });
}

/** Disposes the site if `start` fails. */
async function orDisposed(site: AsyncDisposable, start: () => Promise<Replica>): Promise<Replica> {
  try {
    return await start();
  } catch (thrown) {
    await site[Symbol.asyncDispose]();
    throw thrown;
  }
}

/** Where a server runs, and who receives the edits it requests. */
interface ServerPlacement {
  readonly workspace: Workspace;
  readonly launch: Launch;
  readonly site: Site;
  readonly mode: ProjectionMode;
  readonly edits: ServerEdits;
}

async function startServer(
  request: ReplicaRequest,
  { workspace, launch, site, mode, edits }: ServerPlacement,
  signal: AbortSignal,
): Promise<LanguageServer> {
  const { definition, log } = request;
  const { quirks } = definition;
  const rootUri = workspace.uri(workspace.path('.'));
  const server = await LanguageServer.start(
    {
      id: definition.name,
      ...launch,
      // In a pid namespace of its own the server cannot see our process and would exit.
      parent: site.confinement.kind === 'confined' ? 'hidden' : 'visible',
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: workspace.root }, ...request.folders],
      initializationOptions: definition.initializationOptions,
      settings: scopedSettings(request),
      // A broker configures its server itself.
      ...(request.transport.kind !== 'socket' && { suggestionSettings: definition.suggestionSettings }),
      sendsConfigurationAfterStart: quirks.sendsConfigurationAfterStart,
      diagnosticsMode: mayPull(definition) ? 'pull' : 'push',
      untitledWork: quirks.untitledWork,
      experimental: quirks.experimental,
      didChangeExtras: quirks.didChangeExtras,
      touchExtras: quirks.touchExtras,
      touchesBy: quirks.passesOverSameText ? 'reopening' : 'changing',
      transport: request.transport,
      applyEdit: (edit) => edits.apply(edit),
      installHint: definition.installHint,
    },
    log,
    signal,
  );
  try {
    // If the compiler is asked instead of the server, do not wait for the server to load the workspace.
    const speaksItself = mode === 'buffers' || definition.fullCheck === undefined;
    if (speaksItself) await becomeReady(server, request, signal);
    return server;
  } catch (thrown) {
    await server[Symbol.asyncDispose]();
    throw thrown;
  }
}

/**
 * A binary found while the workspace was trusted must not be started after trust is withdrawn. The servers of this
 * package may be started wherever they lie.
 */
function refuseSupplied({
  definition,
  command: [program = ''],
  workspace,
  trust,
  transport,
  env,
}: ReplicaRequest): void {
  if (trust === 'trusted' || transport.kind !== 'stdio' || definition.embedded !== undefined) return;
  const isPath = program.includes('/') || program.includes('\\');
  if (isPath && isSupplied(program, extentOf(workspace.root, env))) {
    throw new WorkspaceUntrusted(`${definition.name} (${program})`, workspace.root);
  }
}

/** Waits, up to a limit, for servers that report when they have loaded the workspace. */
async function becomeReady(
  server: LanguageServer,
  { definition, log, readyTimeoutMs = defaultReadyTimeoutMs }: ReplicaRequest,
  signal: AbortSignal,
): Promise<void> {
  if (definition.quirks.readiness === 'immediate') return;
  const isReady = await server.progress.isIdleWithin(readyTimeoutMs, signal);
  if (!isReady) log.warning('server.still-busy', { name: definition.name, waited_ms: readyTimeoutMs });
}
