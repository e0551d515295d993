/**
 * How this machine can mount a workspace.
 *
 * Invariant: `namespace` is returned only after a real mount was created, written through and read by a process
 * inside it; versions and settings are never a proof.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { abortable } from '../base/deadline.ts';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { runCommand } from '../process/run-command.ts';
import { cachePlaces } from '../storage/own-places.ts';
import { cacheDirectory } from '../storage/user-directories.ts';
import { MountNamespace, MountRefused, type Privilege } from './internal/mount-namespace.ts';
import { openLayout } from './internal/open-layout.ts';
import { makeScratch, removeScratch } from './internal/scratch.ts';

/** How to mount, and the directory for the parts of a mount. */
export type MountMethod =
  | { readonly kind: 'namespace'; readonly privilege: Privilege; readonly scratch: string }
  | { readonly kind: 'copy'; readonly scratch: string; readonly because: string };

export type MountKind = MountMethod['kind'];

export interface ProbeOptions {
  readonly log: Log;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The machine's abilities do not change while we run, so each list of scratch directories is tried once. */
const answers = new Map<string, Promise<MountMethod>>();

/** After this time the machine counts as unable to mount. */
const probeTimeoutMs = 10_000;

/** Tries a real mount with our privileges. The answer is cached for the lifetime of the process. */
export function probeMounts(options: ProbeOptions, signal: AbortSignal): Promise<MountMethod> {
  const candidates = process.platform === 'linux' ? scratchCandidates(options.env) : [];
  const key = candidates.join('\0');
  // Not the caller's signal: the first caller may abort while others wait for the answer.
  const answer = answers.get(key) ?? probe(options, candidates, AbortSignal.timeout(probeTimeoutMs));
  answers.set(key, answer);
  return abortable(answer, signal);
}

async function probe(
  { log, env }: ProbeOptions,
  candidates: readonly string[],
  deadline: AbortSignal,
): Promise<MountMethod> {
  const refusals: string[] = [];
  const privilege: Privilege = process.getuid?.() === 0 ? 'root' : 'user';
  for (const scratch of candidates) {
    try {
      await tryMount({ privilege, parent: scratch, log, env }, deadline);
      log.info('sandbox.mounts_probed', { kind: 'namespace', privilege, scratch });
      return { kind: 'namespace', privilege, scratch };
    } catch (thrown) {
      refusals.push(`${scratch}: ${messageOf(thrown)}`);
    }
  }
  const because = refusals.join('; ') || `${process.platform} has no mount namespaces`;
  log.info('sandbox.mounts_probed', { kind: 'copy', code: 'sandbox/mount-refused', because });
  return { kind: 'copy', scratch: tmpdir(), because };
}

/** Not every filesystem can hold the changed layer (a container's root cannot), so several are tried. */
function scratchCandidates(env: ProbeOptions['env']): readonly string[] {
  return [tmpdir(), cachePlaces.mounts(cacheDirectory(env)), '/dev/shm'];
}

interface Trial {
  readonly privilege: Privilege;
  readonly parent: string;
  readonly log: Log;
  readonly env: ProbeOptions['env'];
}

async function tryMount({ privilege, parent, log, env }: Trial, signal: AbortSignal): Promise<void> {
  const scratch = await makeScratch(parent);
  try {
    const root = join(scratch, 'workspace');
    await mkdir(root);
    await writeFile(join(root, 'file'), 'disk');
    const layout = openLayout(root, scratch, privilege);
    await using namespace = await MountNamespace.open({ root, privilege, layout, log }, signal);
    await writeFile(join(namespace.viewPath, 'file'), 'overlay');
    const command = namespace.wrapCommand(['/bin/cat', 'file'], root);
    const limits = { timeoutMs: 5000, maxOutputBytes: 1024 };
    const seen = await runCommand({ command, cwd: '/', env, ...limits }, signal);
    if (seen.stdout !== 'overlay')
      throw new MountRefused(seen.stderr.trim() || 'a process inside saw the disk');
    if ((await readFile(join(root, 'file'), 'utf8')) !== 'disk')
      throw new MountRefused('a write reached the disk');
  } finally {
    await removeScratch(scratch);
  }
}
