/** The sessions of one process on a workspace and a state directory that it may share with other processes. */
import { join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import type { LiveWorkspace } from '../../src/live/live-workspace.ts';
import { WorkspaceRegistry } from '../../src/live/workspace-registry.ts';
import { languageId } from '../../src/servers/language.ts';
import type { Session } from '../../src/session/session.ts';
import { SessionStore } from '../../src/session/session-store.ts';
import { Sessions } from '../../src/session/sessions.ts';
import { scriptedDefinition } from './scripted-definition.ts';

const calm = new AbortController().signal;

export class SessionProcess implements AsyncDisposable {
  readonly sessions: Sessions;
  readonly #registry: WorkspaceRegistry;
  readonly #live: LiveWorkspace;

  private constructor(registry: WorkspaceRegistry, live: LiveWorkspace, sessions: Sessions) {
    this.#registry = registry;
    this.#live = live;
    this.sessions = sessions;
  }

  static async open(root: string, state: string): Promise<SessionProcess> {
    const env = { ...process.env, XDG_STATE_HOME: state };
    const registry = new WorkspaceRegistry({ definitions: [scriptedDefinition({})], env, log: silentLog });
    const workspaces = registry.connect();
    const { live } = await workspaces.open(root, calm);
    const sessions = new Sessions({ workspaces, log: silentLog, archiveDirectory: archiveIn(state) });
    return new SessionProcess(registry, live, sessions);
  }

  create(): Promise<Session> {
    return this.sessions.create({ live: this.#live, language: languageId('scripted') }, calm);
  }

  /** Replaces a whole file in a session without asking a server. */
  write(session: Session, path: string, text: string): Promise<void> {
    const at = session.workspace.path(path);
    return session.transform(async (overlay) => overlay.writeText(at, text), calm);
  }

  /** `committed`, `discarded`, or the code of the failure. */
  async finish(id: string, how: 'commit' | 'discard'): Promise<string> {
    try {
      const session = await this.sessions.reach(id, calm);
      if (how === 'discard') await session.discard(calm);
      else
        await session.commit(
          { destination: { kind: 'disk', onConflict: 'refuse' }, patchFormat: 'unified' },
          calm,
        );
      return how === 'commit' ? 'committed' : 'discarded';
    } catch (thrown) {
      return String(Object(thrown).code ?? thrown);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#registry[Symbol.asyncDispose]();
  }
}

export function storeIn(state: string): SessionStore {
  const stateDirectory = join(state, 'forerun');
  return new SessionStore({ directory: archiveIn(state), stateDirectory, log: silentLog });
}

export function archiveIn(state: string): string {
  return join(state, 'forerun', 'sessions');
}
