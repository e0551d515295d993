/**
 * The evidence for an answer: which server gave it, for which versions, and whether the server had indexed the
 * workspace.
 *
 * Invariant: an empty answer from a server that is still indexing is never reported as "none".
 */
import { Failure } from '../base/failure.ts';
import type { Coverage } from '../code/dependents.ts';
import type { Query } from '../code/query.ts';
import type { Readiness } from '../code/readiness.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

type Proof = {
  /** Whether the server had indexed the workspace when it answered. */
  readonly indexed: boolean;
  readonly server: string;
  /** The document version of each queried file at the server. */
  readonly versions?: Readonly<Record<string, number>>;
  /** Present if files that may affect the answer were not searched. */
  readonly incomplete?: { readonly files_left_out: number; readonly why?: string };
  /** The missing capability, if the server cannot be asked at all. */
  readonly unsupported?: string;
};

interface ProofParts {
  readonly readiness: Readiness;
  /** The queried files. */
  readonly paths: readonly WorkspacePath[];
  /** The capability that the question needs. */
  readonly provider?: string;
}

export function proofOf(
  { lease, workspace, dependents }: Query & { readonly dependents?: { readonly coverage: Coverage } },
  { readiness, paths, provider }: ProofParts,
): Proof {
  const coverage = dependents?.coverage;
  const versions = paths.flatMap((path) => {
    const document = lease.server.documents.get(lease.uri(path));
    return document ? [[workspace.absolute(path), document.version] as const] : [];
  });
  return {
    indexed: readiness.kind === 'ready' && !lease.server.progress.isBusy,
    server: lease.server.id,
    ...(versions.length > 0 && { versions: Object.fromEntries(versions) }),
    ...(coverage?.complete === false && {
      incomplete: {
        files_left_out: coverage.leftOut,
        ...(coverage.why !== undefined && { why: coverage.why }),
      },
    }),
    ...(provider !== undefined && !lease.server.capabilities.has(provider) && { unsupported: provider }),
  };
}

/**
 * Throws if an empty answer would be read as "none" although the server is still indexing. A server without the
 * capability is not waited for.
 */
export function refuseEarlyNone(
  what: string,
  parts: {
    readonly found: number;
    readonly query: Query;
    readonly readiness: Readiness;
    readonly provider: string;
  },
): void {
  const { id, progress, capabilities } = parts.query.lease.server;
  if (parts.found > 0 || !capabilities.has(parts.provider)) return;
  if (parts.readiness.kind === 'busy') throw new StillIndexing(what, id, parts.readiness);
  if (progress.isBusy)
    throw new StillIndexing(what, id, { kind: 'busy', work: progress.active, waitedMs: 0 });
}

/** The server has found nothing yet and is still indexing. */
export class StillIndexing extends Failure {
  readonly code = 'tools/still-indexing';
  readonly remedy =
    'Repeat the call when indexing has finished; start_lsp with ready_timeout_seconds waits for it. An empty answer now does not mean that there is none.';

  constructor(what: string, server: string, { work, waitedMs }: Readiness & { readonly kind: 'busy' }) {
    const doing = work.map(({ title, message, percentage }) =>
      [title, message, percentage === undefined ? undefined : `${percentage}%`].filter(Boolean).join(' '),
    );
    const waited = waitedMs > 0 ? ` after ${waitedMs / 1000} s` : '';
    const now = doing.length > 0 ? ` (${doing.join('; ')})` : '';
    super(`${what} not ready yet: ${server} is still indexing${waited}${now}`);
  }
}
