/** The status of this process: its servers, sessions, queue and memory. */
import type { WorkspaceRegistry } from '../../live/workspace-registry.ts';
import type { PoolState } from '../../servers/pool/pool-state.ts';
import type { SessionSummary, Sessions } from '../../session/sessions.ts';
import { version } from '../version.ts';
import type { StatusDocument } from './status-document.ts';

export interface Described {
  readonly workspaces: WorkspaceRegistry;
  /** The sessions of every connection. */
  readonly sessions: Iterable<Sessions>;
}

export async function ownStatus(
  command: string,
  { workspaces, sessions }: Described,
): Promise<StatusDocument> {
  const own = {
    pid: process.pid,
    door: command,
    version,
    age_ms: Math.round(process.uptime() * 1000),
    memory_bytes: process.memoryUsage.rss(),
  };
  const { budgetBytes, usedBytes, sizes } = await workspaces.governor.use();
  const pools = workspaces.all.flatMap(({ workspace, servers }) =>
    servers.pools.map(({ state }) => ({ workspace: workspace.root, ...state })),
  );
  return {
    ...own,
    servers: pools.flatMap((pool) => serversOf(pool, sizes)),
    sessions: [...sessions].flatMap(({ live }) => live.map(sessionOf)),
    queue: pools.reduce((sum, { waiting }) => sum + waiting, 0),
    server_memory: { budget_bytes: budgetBytes, used_bytes: usedBytes },
  };
}

function serversOf(
  pool: PoolState & { readonly workspace: string },
  sizes: ReadonlyMap<number, number>,
): StatusDocument['servers'] {
  const { name, workspace, mode: way } = pool;
  const running = pool.servers.map(({ pid, state, ageMs }) => {
    const bytes = pid === undefined ? undefined : sizes.get(pid);
    const known = { ...(pid !== undefined && { pid }), ...(bytes !== undefined && { memory_bytes: bytes }) };
    return { name, workspace, way, state, age_ms: Math.round(ageMs), ...known };
  });
  const starting = Array.from({ length: pool.starting }, () => {
    return { name, workspace, way, state: 'starting' as const };
  });
  return [...running, ...starting];
}

function sessionOf(summary: SessionSummary): StatusDocument['sessions'][number] {
  const { id, workspaceRoot: workspace, language, state, edits, createdAt } = summary;
  return { id, workspace, language, state, edits, age_ms: Math.max(0, Date.now() - createdAt) };
}
