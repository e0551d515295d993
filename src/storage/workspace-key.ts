import { sha256 } from './hash.ts';

/**
 * The name of a workspace in our directories, or of one part of what is kept for it. It says nothing of the path, and is
 * short enough for the path of a socket.
 */
export function workspaceKey(root: string, part?: string): string {
  return sha256(part === undefined ? root : `${root}\0${part}`).slice(0, 16);
}

/** What every key looks like. */
export const workspaceKeyPattern: RegExp = /^[0-9a-f]{16}$/;
