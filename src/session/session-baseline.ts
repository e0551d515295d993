/**
 * The baseline of a file that a session edits for the first time.
 *
 * Invariant: it is measured before the edit counts, so that a file is never compared with its own change.
 */
import { Deadline } from '../base/deadline.ts';
import { Failure } from '../base/failure.ts';
import { servingLanguage } from '../evaluation/server-assignment.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { isAnsweredFor } from '../servers/file-relevance.ts';
import type { LanguageId } from '../servers/language.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

export interface FirstEdit {
  readonly live: LiveWorkspace;
  /** The language of the session. */
  readonly language: LanguageId;
  /** The overlay with the edit. */
  readonly edited: Overlay;
  readonly path: WorkspacePath;
  /** How long a server may take to be ready; absent: without limit. */
  readonly timeoutMs?: number | undefined;
}

/** The time limit of a baseline taken on the first edit of a file. */
const firstBaselineTimeoutMs = 3000;

/** The longest time that a timer can be set to. */
const maxTimeoutMs = 2 ** 31 - 1;

/** `unserved` if no server answers for the file, `late` if one did not answer in time. */
export async function takeBaseline(
  { live, language: own, edited, path, timeoutMs }: FirstEdit,
  signal: AbortSignal,
): Promise<'high' | 'late' | 'unserved'> {
  const language = await languageOf(live, { own, path }, signal);
  if (language === undefined) return 'unserved';
  using deadline = new Deadline(timeoutMs ?? maxTimeoutMs, signal);
  const plan = await live.servers.planProjection(edited, { language }, signal);
  const exists = live.disk.exists(path);
  try {
    const [answer] = await live.baselines.diagnostics(
      { ...plan, effect: new Map() },
      exists ? [path] : [],
      {
        timeoutMs: Math.min(firstBaselineTimeoutMs, timeoutMs ?? firstBaselineTimeoutMs),
        whileLeasing: deadline.signal,
      },
      signal,
    );
    if (answer?.proof.kind !== 'none') return 'high';
  } catch (thrown) {
    if (!deadline.expired || thrown !== deadline.signal.reason) throw thrown;
  }
  return 'late';
}

/** The language whose server answers for a file: the session's own, else the file's; undefined if there is none. */
async function languageOf(
  live: LiveWorkspace,
  { own, path }: { readonly own: LanguageId; readonly path: WorkspacePath },
  signal: AbortSignal,
): Promise<LanguageId | undefined> {
  const { definition } = await live.servers.locate(own, signal);
  if (isAnsweredFor(definition, path)) return own;
  try {
    return await servingLanguage(live, path, signal);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return undefined;
  }
}
