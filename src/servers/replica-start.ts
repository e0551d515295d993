/**
 * Starting a server so that it can be shown overlays in one way or the other.
 *
 * Invariant: what was started on the way to a failure is ended before the failure is thrown.
 */
import type { Log } from '../base/log.ts';
import { LanguageServer } from '../lsp/language-server.ts';
import type { ServerTransport, WorkspaceFolder } from '../lsp/server-options.ts';
import { probeMounts } from '../sandbox/mount.ts';
import { type MountedWorkspace, mountWorkspace } from '../sandbox/mounted-workspace.ts';
import { environmentOutside } from '../workspace/outside-environment.ts';
import { extentOf, isSupplied } from '../workspace/supplied-path.ts';
import { type Trust, WorkspaceUntrusted } from '../workspace/trust.ts';
import { Workspace } from '../workspace/workspace.ts';
import { BufferProjection } from './buffer-projection.ts';
import type { DiskState } from './disk-state.ts';
import { MountProjection } from './mount-projection.ts';
import type { OverlayEffect } from './overlay-effect.ts';
import { Replica } from './replica.ts';
import { type ScopeRequest, scopedSettings, scopeFor } from './scope/scope-request.ts';
import { mayPull, type ServerDefinition } from './server-definition.ts';
import { ServerEdits } from './server-edits.ts';
import { setTerms } from './starting-terms.ts';
import type { Way } from './way.ts';

/** Large workspaces take their time; beyond this an answer is better late than never, and says that it is early. */
export const defaultReadyTimeoutMs = 60_000;

export interface ReplicaRequest {
  readonly definition: ServerDefinition;
  /** The argument vector as it was found on this machine. */
  readonly command: readonly string[];
  readonly transport: ServerTransport;
  readonly workspace: Workspace;
  readonly disk: DiskState;
  /** Folders the server works on besides the workspace itself. */
  readonly folders: readonly WorkspaceFolder[];
  readonly readyTimeoutMs?: number;
  /** How much of the workspace to load at first; absent: all of it. */
  readonly scope?: ScopeRequest | undefined;
  /** What a mount must show before the server starts in it. */
  readonly terms?: OverlayEffect;
  /** Whether programs that the workspace, or a folder added to it, supplies may run. */
  readonly trust: Trust;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}

export async function startReplica(request: ReplicaRequest, way: Way, signal: AbortSignal): Promise<Replica> {
  refuseSupplied(request);
  const { workspace, disk, definition } = request;
  if (way === 'buffers') {
    const edits = new ServerEdits();
    const server = await startServer(request, { workspace, command: request.command, way, edits }, signal);
    const { kind } = request.transport;
    // What others show a server as well is not ours to narrow.
    const scope = kind === 'stdio' ? scopeFor(request, server) : undefined;
    const projection = new BufferProjection({ server, definition, workspace, disk, scope });
    const shared = { isShared: kind === 'tcp', isBrokered: kind === 'socket' };
    return new Replica({ server, definition, projection, edits, way: 'buffers', ...shared });
  }
  const method = await probeMounts({ log: request.log, env: inheritedBy(request) }, signal);
  const mount = await mountWorkspace(workspace, { method, log: request.log }, signal);
  try {
    if (request.terms) await setTerms(mount, request.terms);
    return await startInMount(request, mount, signal);
  } catch (thrown) {
    await mount[Symbol.asyncDispose]();
    throw thrown;
  }
}

async function startInMount(
  request: ReplicaRequest,
  mount: MountedWorkspace,
  signal: AbortSignal,
): Promise<Replica> {
  const { disk, definition } = request;
  const workspace = await Workspace.open(mount.root);
  const edits = new ServerEdits();
  const server = await startServer(
    request,
    { workspace, command: mount.wrapCommand(request.command), way: 'mounted', edits },
    signal,
  );
  const projection = new MountProjection({ server, definition, mount, workspace, disk });
  const way = mount.kind === 'namespace' ? 'mounted' : 'copied';
  return new Replica({ server, definition, projection, edits, way, mount });
}

/** Where a server runs, and what becomes of the edits it asks for. */
interface ServerGround {
  readonly workspace: Workspace;
  readonly command: readonly string[];
  readonly way: Way;
  readonly edits: ServerEdits;
}

async function startServer(
  request: ReplicaRequest,
  { workspace, command, way, edits }: ServerGround,
  signal: AbortSignal,
): Promise<LanguageServer> {
  const { definition, log } = request;
  const { quirks } = definition;
  const rootUri = workspace.uri(workspace.path('.'));
  const server = await LanguageServer.start(
    {
      id: definition.name,
      command,
      cwd: definition.cwd ?? workspace.root,
      inherited: inheritedBy(request),
      env: definition.env,
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: workspace.root }, ...request.folders],
      initializationOptions: definition.initializationOptions,
      settings: scopedSettings(request),
      sendsConfigurationAfterStart: quirks.sendsConfigurationAfterStart,
      diagnosticsMode: mayPull(definition) ? 'pull' : 'push',
      untitledWork: quirks.untitledWork,
      experimental: quirks.experimental,
      didChangeExtras: quirks.didChangeExtras,
      touchExtras: quirks.touchExtras,
      transport: request.transport,
      applyEdit: (edit) => edits.apply(edit),
      installHint: definition.installHint,
    },
    log,
    signal,
  );
  try {
    // Where the compiler will be asked instead, nobody waits for the server to have read everything.
    const speaksItself = way === 'buffers' || definition.fullCheck === undefined;
    if (speaksItself) await becomeReady(server, request, signal);
    return server;
  } catch (thrown) {
    await server[Symbol.asyncDispose]();
    throw thrown;
  }
}

/** A binary found while the workspace was trusted is not started any more once it is not. Our own are ours wherever they lie. */
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

/** The environment a server gets from this process: in an untrusted workspace nothing in it leads to the workspace's files. */
export function inheritedBy({
  workspace,
  folders,
  trust,
  env,
}: Pick<ReplicaRequest, 'workspace' | 'folders' | 'trust' | 'env'>): NodeJS.ProcessEnv {
  if (trust === 'trusted') return { ...env };
  const roots = [workspace.root, ...folders.map(({ name }) => name)];
  return environmentOutside(
    env,
    roots.flatMap((root) => extentOf(root, env)),
  );
}

/** Not every server says when it has loaded the workspace; those that do are waited for, with a limit. */
async function becomeReady(
  server: LanguageServer,
  { definition, log, readyTimeoutMs = defaultReadyTimeoutMs }: ReplicaRequest,
  signal: AbortSignal,
): Promise<void> {
  if (definition.quirks.readiness === 'immediate') return;
  const isReady = await server.progress.isIdleWithin(readyTimeoutMs, signal);
  if (!isReady) log.warning('server.still-busy', { name: definition.name, waited_ms: readyTimeoutMs });
}
