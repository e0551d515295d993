/**
 * The long-lived objects behind every door: open workspaces and sessions, built here and disposed here.
 *
 * Invariant: disposing the house ends every server it started.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../base/log.ts';
import { OpenWorkspaces } from '../servers/open-workspaces.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import { Sessions } from '../session/sessions.ts';

export interface HouseOptions {
  readonly definitions: readonly ServerDefinition[] | 'detect';
  readonly log: Log;
  /** `kept` sessions survive a restart; `memory` is for commands that end with their work. */
  readonly sessions: 'kept' | 'memory';
}

export class House implements AsyncDisposable {
  readonly workspaces: OpenWorkspaces;
  readonly sessions: Sessions;

  constructor(options: HouseOptions) {
    const { definitions, log } = options;
    this.workspaces = new OpenWorkspaces({ definitions, poolSize: 2, env: process.env, log });
    this.sessions = new Sessions({
      workspaces: this.workspaces,
      log,
      ...(options.sessions === 'kept' && { archiveDirectory: archiveDirectory() }),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.workspaces[Symbol.asyncDispose]();
  }
}

function archiveDirectory(): string {
  const state = process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state');
  return join(state, 'forerun', 'sessions');
}
