/**
 * How one command is started inside a confined namespace: as the only tree of processes it can see, without
 * a privilege it could use to change the confinement.
 *
 * Invariant: the command's processes form a pid namespace, so when its first process is gone all are, whatever
 * they did to get away; and when we are gone, that first process is killed with us.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { userId } from '../../storage/user-directories.ts';
import { filterPath } from './confined-script.ts';
import { type ConfiningProgram, confiningProgram, programPaths } from './confining-program.ts';
import { spareHome } from './home-place.ts';
import { reachableSockets } from './host-socket.ts';
import type { Privilege } from './mount-namespace.ts';
import { filterArchitecture } from './seccomp-filter.ts';

export interface ConfinedCommand {
  readonly command: readonly string[];
  /** As seen inside. */
  readonly cwd: string;
  /** The command's search path. */
  readonly path: string;
  readonly privilege: Privilege;
  readonly maxProcesses: number;
  /** How much memory each process may use for its data; unlimited when absent. */
  readonly maxMemoryBytes?: number;
  /** How large a file may become; unlimited when absent. */
  readonly maxFileBytes?: number;
  /** A word that cannot be guessed, printed where the command could not be started. */
  readonly mark: string;
}

/** The argv to be run in the namespace. The process may live as long as it likes and talks through its streams. */
export async function confinedCommand(request: ConfinedCommand): Promise<string[]> {
  const program = confiningProgram();
  const sockets = await reachableSockets();
  const own = [request.mark, request.cwd, String(request.maxProcesses), pidLimit()];
  const inside = [...launcher(program, request), ...waiting(request.command, request)];
  if (program === 'bubblewrap') {
    const script = ['/bin/sh', '-c', bubblewrapScript, bubblewrapScript, ...own, ...sockets, '--', ...inside];
    // A pid namespace around bubblewrap's own is where root's limit can be set.
    const around = pidLimit() === 'counted' ? ['unshare', '--pid', '--fork', '--kill-child=KILL', '--'] : [];
    return [...around, ...script];
  }
  const isolate = ['--pid', '--mount', '--propagation', 'private', '--fork', '--kill-child=KILL'];
  return [
    'unshare',
    ...isolate,
    '--',
    '/bin/sh',
    '-c',
    startScript,
    'sh',
    ...own,
    ...sockets,
    '--',
    ...inside,
  ];
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
function pidLimit(): 'counted' | 'uncounted' | 'none' {
  if (userId() !== 0) return 'none';
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 6 || (major === 6 && minor >= 14) ? 'counted' : 'uncounted';
}

/** What takes the privileges away and becomes the command. */
function launcher(program: ConfiningProgram, { privilege, cwd }: ConfinedCommand): readonly string[] {
  if (program === 'bubblewrap') return bubblewrap(privilege, cwd);
  const drop = privilege === 'user' ? asUser() : asRoot;
  return program === 'perl' ? [...drop, ...sealing()] : drop;
}

/** What root keeps concerns files, which the mounts confine. */
const fileCapabilities: readonly string[] = [
  'chown',
  'dac_override',
  'fowner',
  'fsetid',
  'kill',
  'setgid',
  'setuid',
];

const asRoot: readonly string[] = [
  'setpriv',
  '--no-new-privs',
  `--bounding-set=-all,${fileCapabilities.map((name) => `+${name}`).join(',')}`,
  '--inh-caps=-all',
  '--ambient-caps=-all',
  '--',
];

/** In the namespace that mounts we are its root; a second one gives us our own number back and takes all else away. */
function asUser(): readonly string[] {
  const ids = [`--map-user=${userId()}`, `--map-group=${process.getgid?.() ?? 0}`];
  // A process that is not root there has lost everything by now, the right to lower the bounds included.
  const bounds = userId() === 0 ? ['--bounding-set=-all'] : [];
  const drop = ['setpriv', '--no-new-privs', ...bounds, '--inh-caps=-all', '--ambient-caps=-all', '--'];
  return ['unshare', '--user', ...ids, '--', ...drop];
}

function bubblewrap(privilege: Privilege, cwd: string): readonly string[] {
  const ids = ['--uid', String(userId()), '--gid', String(process.getgid?.() ?? 0)];
  const kept = fileCapabilities.flatMap((name) => ['--cap-add', `CAP_${name.toUpperCase()}`]);
  return [
    programPaths.bubblewrap,
    ...(privilege === 'user'
      ? ['--unshare-user', ...ids, '--cap-drop', 'ALL']
      : ['--cap-drop', 'ALL', ...kept]),
    ...['--unshare-pid', '--as-pid-1', '--die-with-parent'],
    ...['--dev-bind', '/', '/', '--proc', '/proc'],
    // Bubblewrap covers only what it finds writable by the bits, and settings are written by the user's number alone.
    ...kernelParts.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]),
    ...maskedFiles.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...['--seccomp', '9', '--chdir', cwd, '--'],
  ];
}

const kernelParts: readonly string[] = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi'].map(
  (name) => `/proc/${name}`,
);

/** They list the keys of the caller, or show the kernel's memory. */
const maskedFiles: readonly string[] = ['/proc/keys', '/proc/key-users', '/proc/kcore', '/proc/kallsyms'];

/** A new session keyring and the filter of system calls, by number: perl needs no header for that. */
function sealing(): readonly string[] {
  const numbers = filterArchitecture() === 'arm64' ? ['167', '219'] : ['157', '250'];
  return [programPaths.perl, '-e', sealText, filterPath, ...numbers];
}

const sealText = `my ($file, $prctl, $keyctl) = splice(@ARGV, 0, 3);
open(my $in, "<:raw", $file) or die "the filter cannot be read\\n"; local $/; my $filter = <$in>; close($in);
syscall($keyctl + 0, 1, 0, 0, 0, 0);
my $program = pack("S x6 P", length($filter) / 8, $filter);
syscall($prctl + 0, 38, 1, 0, 0, 0) == 0 && syscall($prctl + 0, 22, 2, $program, 0, 0) == 0 or die "the filter was refused\\n";
exec { $ARGV[0] } @ARGV;`;

/**
 * The first process takes in orphans and ignores signals, so it is a shell that waits for the command. What it
 * would say of a command that a signal ended is not the command's word and is kept back.
 */
export function waiting(command: readonly string[], limits: Waiting): readonly string[] {
  const { path, maxProcesses, maxMemoryBytes, maxFileBytes } = limits;
  // Shells do not agree on the letter.
  const processes =
    maxProcesses === undefined ? '' : `ulimit -u ${maxProcesses} || ulimit -p ${maxProcesses}; `;
  const memory = maxMemoryBytes === undefined ? '' : `ulimit -d ${Math.floor(maxMemoryBytes / 1024)}; `;
  const file = maxFileBytes === undefined ? '' : `ulimit -f ${Math.floor(maxFileBytes / 512)}; `;
  // A home directory that cannot be used (none, or the root directory) is replaced by one that can.
  const home = `[ -n "$HOME" ] && [ -w "$HOME" ] || export HOME=${spareHome}; `;
  const wait = `export PATH="$0"; exec 3>&2 2>/dev/null; ${home}ulimit -c 0; ${processes}${memory}${file}( exec 2>&3 3>&-; exec "$@" ); exit $?`;
  return ['/bin/sh', '-c', wait, path, ...command];
}

interface Waiting {
  /** The command's search path. */
  readonly path: string;
  /** Counted in the user namespace, so only one of its own can have a limit. */
  readonly maxProcesses?: number;
  readonly maxMemoryBytes?: number;
  readonly maxFileBytes?: number;
}

const scriptHead = `mark=$1 cwd=$2 processes=$3 root=$4
shift 4
fail() { echo "$mark $1" >&2; exit 1; }
`;

/** Root could write the settings of the machine by its number alone, so these are covered. */
const startScript = `${scriptHead}mount -c -t proc -o nosuid,nodev,noexec proc /proc || fail 'the process table could not be mounted'
if [ "$root" != none ]; then
  [ "$root" = uncounted ] || echo "$processes" > /proc/sys/kernel/pid_max || fail 'processes could not be limited'
  for part in sys sysrq-trigger irq bus fs acpi scsi; do
    [ ! -e "/proc/$part" ] || mount -c -o bind,ro "/proc/$part" "/proc/$part" || fail "/proc/$part is open"
  done
  for part in key-users kcore kallsyms; do
    [ ! -e "/proc/$part" ] || mount -c --bind /dev/null "/proc/$part" || fail "/proc/$part is open"
  done
fi
[ ! -e /proc/keys ] || mount -c --bind /dev/null /proc/keys || fail '/proc/keys is open'
while [ "$1" != -- ]; do
  [ ! -S "$1" ] || mount -c --bind /dev/null "$1" || fail "the socket $1 could not be hidden"
  shift
done
shift
cd "$cwd" 2>/dev/null || fail "there is no directory $cwd"
exec "$@"`;

/**
 * Bubblewrap mounts the process table and covers the settings of the machine. A socket that is visible is covered in a
 * mount namespace before; the text gets itself as its name, so that it can start itself there.
 */
const bubblewrapScript = `${scriptHead}[ "$root" != counted ] || echo "$processes" > /proc/sys/kernel/pid_max || fail 'processes could not be limited'
[ "$root" != counted ] || root=limited
while [ "$1" != -- ]; do
  if [ -S "$1" ]; then
    if [ -z "$FORERUN_COVERING" ]; then
      export FORERUN_COVERING=yes
      exec unshare --mount --propagation private -- /bin/sh -c "$0" "$0" "$mark" "$cwd" "$processes" "$root" "$@"
    fi
    mount -c --bind /dev/null "$1" || fail "the socket $1 could not be hidden"
  fi
  shift
done
shift
unset FORERUN_COVERING
cd "$cwd" 2>/dev/null || fail "there is no directory $cwd"
exec 9<${filterPath} "$@"`;
