/**
 * A question about code, put to a server that shows the text the question is about.
 *
 * Invariant: what goes to the server is in its URIs and columns, what comes back is in ours.
 */
import type { DocumentPosition } from '../lsp/document-position.ts';
import type { Lease } from '../servers/lease.ts';
import type { Position } from '../text/position.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { CodeLocation } from './code-location.ts';

export interface Query {
  readonly lease: Lease;
  readonly workspace: Workspace;
  /** Absent where the server is asked about what it has been shown and nothing else. */
  readonly dependents?: Dependents;
}

/** Shows a server the files that may use a name, where it does not look for them by itself. */
export interface Dependents {
  /** Answers where the name is declared, if it had to find that out. */
  show(query: Query, place: Place, signal: AbortSignal): Promise<readonly CodeLocation[] | undefined>;
}

/** A place in a file of the workspace. */
export interface Place {
  readonly path: WorkspacePath;
  readonly position: Position;
}

/** A place as the leased server knows it. */
export function positionOn({ lease }: Query, { path, position }: Place): DocumentPosition {
  return { uri: lease.uri(path), position };
}

/** The text the server is shown of a file, where it is open. */
export function shownText({ lease }: Query, path: WorkspacePath): string | undefined {
  return lease.server.documents.get(lease.uri(path))?.text;
}
