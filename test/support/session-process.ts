/** The sessions of one process on a workspace and a state directory that it may share with other processes. */
import { join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import type { Executor } from '../../src/live/executor.ts';
import { OpenWorkspaces } from '../../src/live/open-workspaces.ts';
import { languageId } from '../../src/servers/language.ts';
import type { Session } from '../../src/session/session.ts';
import { SessionStore } from '../../src/session/session-store.ts';
import { Sessions } from '../../src/session/sessions.ts';
import { scriptedDefinition } from './scripted-definition.ts';

const calm = new AbortController().signal;

export class SessionProcess implements AsyncDisposable {
  readonly sessions: Sessions;
  readonly #workspaces: OpenWorkspaces;
  readonly #executor: Executor;

  private constructor(workspaces: OpenWorkspaces, executor: Executor, archiveDirectory: string) {
    this.#workspaces = workspaces;
    this.#executor = executor;
    this.sessions = new Sessions({ workspaces, log: silentLog, archiveDirectory });
  }

  static async open(root: string, state: string): Promise<SessionProcess> {
    const env = { ...process.env, XDG_STATE_HOME: state };
    const workspaces = new OpenWorkspaces({ definitions: [scriptedDefinition({})], env, log: silentLog });
    const { executor } = await workspaces.open(root, calm);
    return new SessionProcess(workspaces, executor, archiveIn(state));
  }

  create(): Promise<Session> {
    return this.sessions.create({ executor: this.#executor, language: languageId('scripted') }, calm);
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
    await this.#workspaces[Symbol.asyncDispose]();
  }
}

export function storeIn(state: string): SessionStore {
  const stateDirectory = join(state, 'forerun');
  return new SessionStore({ directory: archiveIn(state), stateDirectory, log: silentLog });
}

export function archiveIn(state: string): string {
  return join(state, 'forerun', 'sessions');
}
