/**
 * A question about code, for a server that shows the text in question.
 *
 * Invariant: requests use the server's URIs and columns, answers use ours.
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
  /** Absent if the server is asked only about files already open. */
  readonly dependents?: Dependents;
}

/** Opens the files that may use a name, if the server does not find them by itself. */
export interface Dependents {
  /** Returns the declarations of the name, if it had to determine them. */
  show(query: Query, place: Place, signal: AbortSignal): Promise<readonly CodeLocation[] | undefined>;
}

/** A position in a file of the workspace. */
export interface Place {
  readonly path: WorkspacePath;
  readonly position: Position;
}

/** A position in the terms of the leased server. */
export function positionOn({ lease }: Query, { path, position }: Place): DocumentPosition {
  return { uri: lease.uri(path), position };
}

/** The text of a file as shown to the server, if it is open. */
export function shownText({ lease }: Query, path: WorkspacePath): string | undefined {
  return lease.server.documents.get(lease.uri(path))?.text;
}
