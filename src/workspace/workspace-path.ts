import type { Brand } from '../base/brand.ts';

/** A path inside a workspace: relative to its root, `/`-separated, normalised, never leaving it. `''` is the root. */
export type WorkspacePath = Brand<string, 'WorkspacePath'>;
