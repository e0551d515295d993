/**
 * Starts one command in a confined namespace, where it sees only its own processes and has no privilege to change the
 * confinement.
 *
 * Invariant: the processes of the command form a pid namespace: when its first process ends, all are killed; and when
 * this process ends, that first process is killed.
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
  /** Memory limit for the data of each process; absent: unlimited. */
  readonly maxMemoryBytes?: number;
  /** File size limit; absent: unlimited. */
  readonly maxFileBytes?: number;
  /** A random word, printed if the command could not be started. */
  readonly mark: string;
}

/** The argv to run in the namespace. The process has no time limit and communicates through its streams. */
export async function confinedCommand(request: ConfinedCommand): Promise<string[]> {
  const program = confiningProgram();
  const sockets = await reachableSockets();
  const own = [request.mark, request.cwd, String(request.maxProcesses), pidLimit()];
  const inside = [...launcher(program, request), ...waiting(request.command, request)];
  if (program === 'bubblewrap') {
    const script = ['/bin/sh', '-c', bubblewrapScript, bubblewrapScript, ...own, ...sockets, '--', ...inside];
    // root's limit can be set in a pid namespace around that of bubblewrap.
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

/** Our pid of the first process inside; undefined if there is none. */
export async function firstProcessInside(leader: number): Promise<number | undefined> {
  const children = await readFile(`/proc/${leader}/task/${leader}/children`, 'utf8').catch(() => '');
  for (const child of children.split(' ').filter((word) => word !== '')) {
    const status = await readFile(`/proc/${child}/status`, 'utf8').catch(() => '');
    if (/^NSpid:(?:\t\d+)+\t1$/m.test(status)) return Number(child);
  }
  return undefined;
}

/**
 * Since Linux 6.14, the highest pid is a setting of each pid namespace, and the only limit that applies to root. In
 * older kernels it applies to the whole machine and must not be changed.
 */
function pidLimit(): 'counted' | 'uncounted' | 'none' {
  if (userId() !== 0) return 'none';
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 6 || (major === 6 && minor >= 14) ? 'counted' : 'uncounted';
}

/** Drops privileges and executes the command. */
function launcher(program: ConfiningProgram, { privilege, cwd }: ConfinedCommand): readonly string[] {
  if (program === 'bubblewrap') return bubblewrap(privilege, cwd);
  const drop = privilege === 'user' ? asUser() : asRoot;
  return program === 'perl' ? [...drop, ...sealing()] : drop;
}

/** The capabilities root keeps concern files, which the mounts confine. */
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

/** In the mounting namespace we are root; a second user namespace restores our user id and drops everything else. */
function asUser(): readonly string[] {
  const ids = [`--map-user=${userId()}`, `--map-group=${process.getgid?.() ?? 0}`];
  // A process that is not root there has no capability left, not even to drop the bounding set.
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
    // Bubblewrap covers only entries that are writable by mode, but kernel settings are writable by user id.
    ...kernelParts.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]),
    ...maskedFiles.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...['--seccomp', '9', '--chdir', cwd, '--'],
  ];
}

const kernelParts: readonly string[] = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi'].map(
  (name) => `/proc/${name}`,
);

/** They list the keys of the caller, or expose kernel memory. */
const maskedFiles: readonly string[] = ['/proc/keys', '/proc/key-users', '/proc/kcore', '/proc/kallsyms'];

/** A new session keyring and the seccomp filter, by system call number: perl needs no header for that. */
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
 * The first process must reap orphans and ignores signals, so it is a shell that waits for the command. Its message
 * about a command terminated by a signal is suppressed.
 */
export function waiting(command: readonly string[], limits: Waiting): readonly string[] {
  const { path, maxProcesses, maxMemoryBytes, maxFileBytes } = limits;
  // Shells use different letters.
  const processes =
    maxProcesses === undefined ? '' : `ulimit -u ${maxProcesses} || ulimit -p ${maxProcesses}; `;
  const memory = maxMemoryBytes === undefined ? '' : `ulimit -d ${Math.floor(maxMemoryBytes / 1024)}; `;
  const file = maxFileBytes === undefined ? '' : `ulimit -f ${Math.floor(maxFileBytes / 512)}; `;
  // An unusable home directory (missing, or `/`) is replaced.
  const home = `[ -n "$HOME" ] && [ -w "$HOME" ] || export HOME=${spareHome}; `;
  const wait = `export PATH="$0"; exec 3>&2 2>/dev/null; ${home}ulimit -c 0; ${processes}${memory}${file}( exec 2>&3 3>&-; exec "$@" ); exit $?`;
  return ['/bin/sh', '-c', wait, path, ...command];
}

interface Waiting {
  /** The command's search path. */
  readonly path: string;
  /** Counted per user namespace, so only a namespace of its own can have a limit. */
  readonly maxProcesses?: number;
  readonly maxMemoryBytes?: number;
  readonly maxFileBytes?: number;
}

const scriptHead = `mark=$1 cwd=$2 processes=$3 root=$4
shift 4
fail() { echo "$mark $1" >&2; exit 1; }
`;

/** root could write kernel settings because of its user id, so they are covered. */
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
 * Bubblewrap mounts /proc and covers kernel settings. A visible socket is covered in a mount namespace first; the
 * script gets its own text as its name, so that it can restart itself there.
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
