/**
 * The evidence that a file's diagnostics belong to the shown text.
 *
 * Invariant: `quiet` is an inference and `none` means that there is no evidence; neither leads to a high confidence.
 */
import type { Diagnostic } from '../lsp/diagnostic.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { CfgSettings } from './rust/cfg-predicate.ts';

export type Proof =
  /** The response to a request that was sent after the text. */
  | { readonly kind: 'pulled' }
  /** A publication with the version of the text, or a later one. */
  | { readonly kind: 'published'; readonly version: number }
  /** The response to the server's own synchronous diagnostics command. */
  | { readonly kind: 'requested' }
  /**
   * The result of a compiler run over the text as saved files. `compiledIn` is present if the compiler reports which
   * files it read: the settings of every target that includes this file, empty if none does.
   */
  | { readonly kind: 'checked'; readonly compiledIn?: readonly CfgSettings[] }
  /** A publication after the text, followed by silence: the last resort for servers that offer nothing better. */
  | { readonly kind: 'quiet'; readonly quietMs: number }
  /** No response in time, or the server refused. */
  | { readonly kind: 'none'; readonly reason: 'timeout' | 'refused' }
  /** The compiler run did not complete; `why` gives the reason. */
  | { readonly kind: 'none'; readonly reason: 'failed'; readonly why: string };

/** The diagnostics of one file, and the evidence for them. */
export interface FileDiagnostics {
  readonly path: WorkspacePath;
  readonly diagnostics: readonly Diagnostic[];
  readonly proof: Proof;
  /** The server stopped before the end of the file; there may be more diagnostics. */
  readonly isCut?: boolean;
  /** No project of the workspace contains the file, so a compiler run would not check it. */
  readonly isUnowned?: boolean;
  /** The server was not asked, because an answer about a file outside all projects would not count. */
  readonly isUnasked?: boolean;
  /** Set if that follows from the configuration alone, so that it also holds without the shown change. */
  readonly wasUnowned?: boolean;
  /** Why no project contains it, if known. */
  readonly unownedBecause?: string;
  /** The usual builds leave the file out, but it compiles if it is named: what is found in it is reported with a doubt. */
  readonly isBesideBuilds?: boolean;
  /** Hints were not requested, so their absence means nothing. */
  readonly lacksHints?: boolean;
  /**
   * No project that contains the file contains a changed one or is configured otherwise, and no package of the workspace is missing in it. The
   * change cannot alter its diagnostics, even if its libraries were installed.
   */
  readonly isApart?: boolean;
}

export function isProved(proof: Proof): boolean {
  return proof.kind !== 'quiet' && proof.kind !== 'none';
}
