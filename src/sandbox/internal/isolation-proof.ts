/**
 * Proves that this machine confines commands.
 *
 * Invariant: the proof is a command in a confinement that saw the overlay, could not write where it must not, and did
 * not change the disk; versions and settings are never a proof.
 */
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { abortable } from '../../base/deadline.ts';
import { messageOf } from '../../base/failure.ts';
import { Overlay } from '../../overlay/overlay.ts';
import { userId } from '../../storage/user-directories.ts';
import { Baseline } from '../../workspace/baseline.ts';
import { DiskSource } from '../../workspace/disk-source.ts';
import { Workspace } from '../../workspace/workspace.ts';
import type { Sandbox, SandboxRequest } from '../sandbox-tier.ts';
import { confiningProgram, refuseProgram } from './confining-program.ts';
import { MountRefused, type Privilege } from './mount-namespace.ts';

/** The machine's abilities do not change while we run, so they are tested once. */
let proof: Promise<Privilege> | undefined;

/** After this time the machine counts as unable. */
const proofTimeoutMs = 20_000;

/** The parameters of a proof; its workspace is temporary. */
export type ProofRequest = Omit<SandboxRequest, 'workspace' | 'overlay'>;

export type ConfinedOpener = (
  request: SandboxRequest,
  privilege: Privilege,
  signal: AbortSignal,
) => Promise<Sandbox>;

/** The privilege with which isolation is proved; throws the reason if it is not. */
export function proveIsolation(
  open: ConfinedOpener,
  request: ProofRequest,
  signal: AbortSignal,
): Promise<Privilege> {
  // Not the caller's signal: the first caller may abort while others wait.
  proof ??= untilLate((deadline) => tryEach(open, request, deadline));
  return abortable(proof, signal);
}

/** A machine that was merely too busy is tested again. */
async function untilLate(work: (deadline: AbortSignal) => Promise<Privilege>): Promise<Privilege> {
  const deadline = AbortSignal.timeout(proofTimeoutMs);
  try {
    return await work(deadline);
  } catch (thrown) {
    if (deadline.aborted) proof = undefined;
    throw thrown;
  }
}

/** root of a container may lack the right to mount, and get it in a user namespace like any other user. */
async function tryEach(
  open: ConfinedOpener,
  request: ProofRequest,
  deadline: AbortSignal,
): Promise<Privilege> {
  const refusals: string[] = [];
  do {
    for (const privilege of userId() === 0 ? (['mapped', 'root', 'user'] as const) : (['user'] as const)) {
      try {
        await tryOut((asked, signal) => open(asked, privilege, signal), request, deadline);
        request.log.info('sandbox.isolation_proved', { privilege, program: confiningProgram() });
        return privilege;
      } catch (thrown) {
        deadline.throwIfAborted();
        refusals.push(messageOf(thrown));
      }
    }
  } while (refuseProgram(confiningProgram()));
  throw new MountRefused([...new Set(refusals)].join('; '));
}

async function tryOut(
  open: (request: SandboxRequest, signal: AbortSignal) => Promise<Sandbox>,
  request: ProofRequest,
  deadline: AbortSignal,
): Promise<void> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'forerun-proof-')));
  try {
    await writeFile(join(root, 'file'), 'disk');
    const workspace = await Workspace.open(root);
    const overlay = Overlay.on(new Baseline(new DiskSource(workspace)));
    const shown = overlay.writeText(workspace.path('file'), 'overlay');
    await using sandbox = await open({ ...request, workspace, overlay: shown }, deadline);
    const filtered =
      confiningProgram() === 'plain' ? 'true' : 'grep -q "^Seccomp:[[:space:]]*2" /proc/self/status';
    const attempt = `test ! -w / && test ! -e /sys && test ! -w /proc/sys/kernel/core_pattern && ${filtered} && cat file && echo written > file`;
    const outcome = await sandbox.run(['/bin/sh', '-c', attempt], { timeoutMs: proofTimeoutMs }, deadline);
    const saw = outcome.kind === 'finished' ? outcome.stdout : '';
    if (outcome.kind !== 'finished' || outcome.code !== 0 || saw !== 'overlay') {
      const said = outcome.kind === 'finished' ? outcome.stderr.trim() : '';
      throw new MountRefused(said || 'a command inside did not see what it should');
    }
    if ((await readFile(join(root, 'file'), 'utf8')) !== 'disk')
      throw new MountRefused('a command inside wrote to the disk');
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
