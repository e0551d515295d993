/** The subject of a call, as permission rules name it. */
import type { WorkspacePath } from '../workspace/workspace-path.ts';

export type CallSubject =
  | { readonly kind: 'paths'; readonly paths: readonly SubjectPath[] }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'none' };

export interface SubjectPath {
  readonly path: WorkspacePath;
  readonly absolute: string;
  /** The displayed form. */
  readonly shown: string;
}
