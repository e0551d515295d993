/**
 * Measures the impact of a change across workspaces and servers.
 *
 * Invariant: a file or symbol that could not be examined is named in the warnings. If no file could be examined, the
 * first failure is thrown.
 */
import { Deadline } from '../../base/deadline.ts';
import { messageOf } from '../../base/failure.ts';
import type { CachedReferences } from '../../code/cached-references.ts';
import { type Impact, type ImpactOptions, impactOf, NotKnown } from '../../code/impact.ts';
import { knownSource, liveSource } from '../../code/impact-source.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import { readText } from '../../overlay/overlay.ts';
import type { LanguageId } from '../../servers/language.ts';
import type { Lease } from '../../servers/lease.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { proofOf } from '../answer-proof.ts';
import { asFailure } from '../failure.ts';
import { knownUses } from '../known-answer.ts';
import { withServer } from '../read-file-tool.ts';
import type { ToolContext } from '../tool-context.ts';

/** The result of one server. */
interface ServerImpact extends Impact {
  readonly view: WorkspaceView;
  readonly indexed: boolean;
  /** The fingerprint of all dependencies, if no server was asked. */
  readonly fingerprint?: string;
}

export interface MeasuredImpact {
  readonly parts: readonly ServerImpact[];
  readonly warnings: readonly string[];
}

/** Metadata that marks an answer as cached, if all of its parts are. */
export function cachedMeta({ parts }: MeasuredImpact): { readonly meta?: Readonly<Record<string, unknown>> } {
  const fingerprints = parts.flatMap(({ fingerprint }) => fingerprint ?? []);
  if (fingerprints.length === 0 || fingerprints.length < parts.length) return {};
  return { meta: { cached: { fingerprint: fingerprints.join(' ') } } };
}

export type ImpactRequest = Pick<ImpactOptions, 'scope' | 'reach'> & { readonly files: readonly string[] };

const overallTimeoutMs = 90_000;
const limits = { symbolTimeoutMs: 15_000, parallel: 16 };

export async function measureImpact(
  context: ToolContext,
  request: ImpactRequest,
  signal: AbortSignal,
): Promise<MeasuredImpact> {
  using deadline = new Deadline(overallTimeoutMs, signal);
  const failures: { readonly about: string; readonly thrown: unknown }[] = [];
  const groups = new Map<string, Group>();
  for (const file of request.files) {
    try {
      const group = await groupOf(context, file, signal);
      const paths = groups.get(group.key)?.paths ?? [];
      groups.set(group.key, { ...group, paths: [...paths, ...group.paths] });
    } catch (thrown) {
      failures.push({ about: file, thrown });
    }
  }
  const parts: ServerImpact[] = [];
  for (const group of groups.values()) {
    context.connection.progress(`finding uses in ${group.view.workspace.root}`, parts.length / groups.size);
    try {
      parts.push(await measureGroup(group, request, deadline.signal));
    } catch (thrown) {
      signal.throwIfAborted();
      failures.push(...group.paths.map((path) => ({ about: group.view.workspace.absolute(path), thrown })));
    }
  }
  const [first] = failures;
  if (parts.length === 0 && first) throw asFailure(first.thrown);
  const reported = failures.map(({ about, thrown }) => `${about}: ${messageOf(thrown)}`);
  return { parts, warnings: [...reported, ...parts.flatMap((part) => part.warnings)] };
}

/** Files of one workspace that one server handles. */
interface Group {
  readonly key: string;
  readonly view: WorkspaceView;
  readonly language: LanguageId;
  readonly paths: readonly WorkspacePath[];
}

async function groupOf(context: ToolContext, file: string, signal: AbortSignal): Promise<Group> {
  const { view, path } = await context.workspaces.locateFile(file, signal);
  await readText(view.overlay, path);
  const language = view.languageFor(path);
  const { definition } = await view.live.servers.locate(language, signal);
  return { key: `${view.workspace.root}\0${definition.name}`, view, language, paths: [path] };
}

async function measureGroup(
  group: Group,
  request: ImpactRequest,
  signal: AbortSignal,
): Promise<ServerImpact> {
  const { view, language, paths } = group;
  const known = await knownUses(view, language, signal);
  const reported = known && (await knownImpact(group, known, request, signal));
  if (reported) return reported;
  const show = (lease: Lease): Promise<void> => lease.open(paths);
  return withServer(view, { language, show }, signal, async (query) => {
    const source = liveSource(query, known, signal);
    const impact = await impactOf(source, paths, { ...request, ...limits }, signal);
    const { indexed, incomplete } = proofOf(query, { readiness: query.readiness, paths });
    const leftOut = incomplete
      ? [
          `${incomplete.files_left_out} file(s) that may contain uses were not searched${incomplete.why ? `: ${incomplete.why}` : ''}`,
        ]
      : [];
    const warnings = [...impact.warnings, ...leftOut];
    if (warnings.length === 0 && indexed) await known?.settle(query.lease, signal);
    return { ...impact, warnings, view, indexed };
  });
}

/** The answer from the cache, without a server; undefined if the cache is not sufficient. */
async function knownImpact(
  { view, paths }: Group,
  known: CachedReferences,
  request: ImpactRequest,
  signal: AbortSignal,
): Promise<ServerImpact | undefined> {
  const { disk } = view.live;
  try {
    const source = knownSource(known, (path) => disk.text(path));
    const impact = await impactOf(source, paths, { ...request, ...limits }, signal);
    return { ...impact, view, indexed: true, fingerprint: known.fingerprint };
  } catch (thrown) {
    if (thrown instanceof NotKnown) return undefined;
    throw thrown;
  }
}
