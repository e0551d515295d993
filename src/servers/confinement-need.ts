/**
 * Which servers execute code that a change may contain, and must therefore be confined.
 *
 * Invariant: in doubt the answer is yes. A server runs unconfined only if nothing it executes can come from the
 * change it is shown.
 */
import { isAbsolute, relative } from 'node:path';
import { Failure } from '../base/failure.ts';
import { howToTrust } from '../workspace/trust-remedy.ts';
import type { ProjectionMode } from './projection.ts';
import type { Executes } from './server-definition.ts';

export interface ServerStart {
  readonly executes: Executes;
  readonly name: string;
  /** The argument vector that starts it. */
  readonly command: readonly string[];
  readonly root: string;
}

export function needsConfinement({ executes, command, root }: ServerStart, mode: ProjectionMode): boolean {
  if (executes === 'workspace-code') return true;
  if (mode === 'buffers') return false;
  // In a mount, changed files replace those of the disk, including programs of the workspace.
  return executes === 'interpreter' || command.some((word) => isInside(word, root));
}

function isInside(word: string, root: string): boolean {
  if (!isAbsolute(word)) return false;
  const path = relative(root, word);
  return path !== '' && path !== '..' && !path.startsWith('../');
}

/** The server would execute code of an untrusted workspace, and this machine cannot confine it. */
export class ServerNotConfined extends Failure {
  readonly code = 'servers/not-confined';
  readonly remedy: string;

  constructor({ name, root }: Pick<ServerStart, 'name' | 'root'>, because: string) {
    super(
      `${name} was not started: it runs code of the workspace, the workspace is not trusted, and programs cannot be confined here (${because})`,
    );
    this.remedy = `${howToTrust(root)} Or make confinement possible: allow unprivileged user namespaces.`;
  }
}
