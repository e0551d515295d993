/**
 * Why a file's diagnostics belong to the text that was shown.
 *
 * Invariant: `quiet` is an inference and `none` an admission; nothing turns either into a high confidence.
 */
import type { Diagnostic } from '../lsp/diagnostic.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { CfgSettings } from './rust/cfg-predicate.ts';

export type Proof =
  /** The answer to a request that was sent after the text. */
  | { readonly kind: 'pulled' }
  /** A publication that names the version of the text, or a later one. */
  | { readonly kind: 'published'; readonly version: number }
  /** The answer to a server's own synchronous diagnostics command. */
  | { readonly kind: 'requested' }
  /**
   * The outcome of a compiler run over the text as saved files. Where the compiler says which files it read, the
   * settings of every target that this one was compiled for; none where no target reads it.
   */
  | { readonly kind: 'checked'; readonly compiledIn?: readonly CfgSettings[] }
  /** A publication after the text and then silence: the last resort for servers that offer nothing better. */
  | { readonly kind: 'quiet'; readonly quietMs: number }
  /** No answer in time, or one that refuses to say. */
  | { readonly kind: 'none'; readonly reason: 'timeout' | 'refused' }
  /** The compiler did not come to its end; `why` says what stopped it. */
  | { readonly kind: 'none'; readonly reason: 'failed'; readonly why: string };

/** What the server says of one file, and why we may believe it. */
export interface FileDiagnostics {
  readonly path: WorkspacePath;
  readonly diagnostics: readonly Diagnostic[];
  readonly proof: Proof;
  /** The server stopped before the end of the file: what it told is there, and more may be. */
  readonly isCut?: boolean;
  /** No project of the workspace holds the file, so no run of the compiler would look at it. */
  readonly isUnowned?: boolean;
  /** The server was not asked, since nothing it could say of a file that no project holds would count. */
  readonly isUnasked?: boolean;
  /** Set where that follows from the configurations alone, and so holds without the shown change too. */
  readonly wasUnowned?: boolean;
  /** Why none does, where that is known. */
  readonly unownedBecause?: string;
  /** The server was not asked for hints, so that their absence says nothing. */
  readonly lacksHints?: boolean;
  /**
   * No project that holds the file holds a changed one, and no package of the workspace is missing in it: the change cannot
   * alter what is said of it, nor what would be said if its libraries were installed.
   */
  readonly isApart?: boolean;
}

export function isProved(proof: Proof): boolean {
  return proof.kind !== 'quiet' && proof.kind !== 'none';
}
