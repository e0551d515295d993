import { HandleTree } from './handle-tree.ts';
import type { TreeAccess } from './tree-access.ts';
import { VerifiedTree } from './verified-tree.ts';

/** How the directories of a workspace are accessed: held open, or by paths verified before and after each call. */
export type AccessKind = 'handles' | 'verified';

/** Opened directories if the system can name their entries, verified paths otherwise. */
export function openTree(root: string, wanted: AccessKind): TreeAccess {
  return (wanted === 'handles' ? HandleTree.open(root) : undefined) ?? new VerifiedTree(root);
}
