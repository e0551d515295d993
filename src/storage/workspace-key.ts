import { sha256 } from './hash.ts';

/**
 * The name of a workspace, or of one part of its data, in our directories. It does not reveal the path, and is short
 * enough for the path of a socket.
 */
export function workspaceKey(root: string, part?: string): string {
  return sha256(part === undefined ? root : `${root}\0${part}`).slice(0, 16);
}

/** The pattern of all keys. */
export const workspaceKeyPattern: RegExp = /^[0-9a-f]{16}$/;
