/**
 * How one command is started inside a confined namespace: as the only tree of processes it can see, without
 * a privilege it could use to change the confinement.
 *
 * Invariant: the command's processes form a pid namespace, so when its first process is gone all are, whatever
 * they did to get away; and when we are gone, that first process is killed with us.
 */
import { readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { reachableSockets } from './host-socket.ts';
import type { Privilege } from './mount-namespace.ts';

export interface ConfinedCommand {
  readonly command: readonly string[];
  /** As seen inside. */
  readonly cwd: string;
  /** The command's search path. */
  readonly path: string;
  readonly privilege: Privilege;
  readonly maxProcesses: number;
  /** A word nobody can guess, printed where the command could not be started. */
  readonly mark: string;
}

/** The argv to be run in the namespace. */
export async function confinedCommand(request: ConfinedCommand): Promise<string[]> {
  const { command, cwd, path, privilege, maxProcesses, mark } = request;
  const sockets = await reachableSockets();
  const own = [mark, cwd, String(maxProcesses), process.getuid?.() === 0 ? machinesRoot() : 'nobody'];
  const leave = privilege === 'root' ? asRoot : asUser();
  const isolate = ['--pid', '--mount', '--propagation', 'private', '--fork', '--kill-child=KILL'];
  const script = ['/bin/sh', '-c', startScript, 'sh', ...own, ...sockets, '--'];
  const inside = [...leave, ...waiting(command, { path, maxProcesses })];
  return ['unshare', ...isolate, '--', ...script, ...inside];
}

/** The process that is number one inside, as we number it; undefined when there is none (any more). */
export async function firstProcessInside(leader: number): Promise<number | undefined> {
  const children = await readFile(`/proc/${leader}/task/${leader}/children`, 'utf8').catch(() => '');
  for (const child of children.split(' ').filter((word) => word !== '')) {
    const status = await readFile(`/proc/${child}/status`, 'utf8').catch(() => '');
    if (/^NSpid:(?:\t\d+)+\t1$/m.test(status)) return Number(child);
  }
  return undefined;
}

/**
 * Since 6.14 the highest process number is a setting of each pid namespace, and the only limit that binds root.
 * Before, it is one of the whole machine, which must not be touched.
 */
function machinesRoot(): 'counted' | 'uncounted' {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 6 || (major === 6 && minor >= 14) ? 'counted' : 'uncounted';
}

/** Root keeps what concerns files, which the mounts confine, and nothing that could undo them. */
const asRoot: readonly string[] = [
  'setpriv',
  '--no-new-privs',
  '--bounding-set=-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid',
  '--inh-caps=-all',
  '--ambient-caps=-all',
  '--',
];

/** In the namespace that mounts we are its root; a second one gives us our own number back and takes all else away. */
function asUser(): readonly string[] {
  const ids = [`--map-user=${process.getuid?.() ?? 0}`, `--map-group=${process.getgid?.() ?? 0}`];
  // Whoever is not root there has lost everything by now, the right to lower the bounds included.
  const bounds = process.getuid?.() === 0 ? ['--bounding-set=-all'] : [];
  const drop = ['setpriv', '--no-new-privs', ...bounds, '--inh-caps=-all', '--ambient-caps=-all', '--'];
  return ['unshare', '--user', ...ids, '--', ...drop];
}

/**
 * The first process takes in orphans and ignores signals, so it is a shell that waits for the command. What it
 * would say of a command that a signal ended is not the command's word and is kept back.
 */
export function waiting(command: readonly string[], { path, maxProcesses }: Waiting): readonly string[] {
  // Shells do not agree on the letter.
  const limit = maxProcesses === undefined ? '' : `ulimit -u ${maxProcesses} || ulimit -p ${maxProcesses}; `;
  const wait = `export PATH="$0"; exec 3>&2 2>/dev/null; ulimit -c 0; ${limit}"$@" 2>&3 3>&-; exit $?`;
  return ['/bin/sh', '-c', wait, path, ...command];
}

interface Waiting {
  /** The command's search path. */
  readonly path: string;
  /** Counted in the user namespace, so only one of its own can have a limit. */
  readonly maxProcesses?: number;
}

/** Root could write the settings of the machine by its number alone, so these are covered. */
const startScript = `mark=$1 cwd=$2 processes=$3 root=$4
shift 4
fail() { echo "$mark $1" >&2; exit 1; }
mount -c -t proc -o nosuid,nodev,noexec proc /proc || fail 'the process table could not be mounted'
if [ "$root" != nobody ]; then
  [ "$root" = uncounted ] || echo "$processes" > /proc/sys/kernel/pid_max || fail 'processes could not be limited'
  for part in sys sysrq-trigger irq bus fs acpi scsi; do
    [ ! -e "/proc/$part" ] || mount -c -o bind,ro "/proc/$part" "/proc/$part" || fail "/proc/$part is open"
  done
fi
while [ "$1" != -- ]; do
  [ ! -S "$1" ] || mount -c --bind /dev/null "$1" || fail "the socket $1 could not be hidden"
  shift
done
shift
cd "$cwd" || fail "there is no directory $cwd"
exec "$@"`;
