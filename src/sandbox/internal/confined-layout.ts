/**
 * The layout for commands nobody vouches for: the overlay over the workspace, everything else read-only,
 * temporary directories of its own, no devices but the harmless ones, no network but a loopback.
 *
 * Invariant: the changed layer lies in memory that belongs to the namespace, so nothing on disk is written
 * and nothing is left behind, however we end. Of the mounts a command can see, only the workspace, the
 * temporary directories and the caches can be written, and what is written there is lost with the namespace.
 */
import { readFile, stat } from 'node:fs/promises';
import type { MountLayout, Privilege } from './mount-namespace.ts';
import { attributesOption } from './open-layout.ts';
import { type Surroundings, surroundingsOf } from './surroundings.ts';

export interface ConfinedRequest {
  readonly root: string;
  readonly privilege: Privilege;
  /** How much the commands may write in all. */
  readonly maxDiskBytes: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `overlay`: what is written to the workspace is caught; `read-only`: it follows the disk and cannot be written. */
  readonly workspace?: 'overlay' | 'read-only';
  /** Directories of our own that are bound read-write at the same path. At most four. */
  readonly writable?: readonly string[];
}

export async function confinedLayout(request: ConfinedRequest): Promise<MountLayout> {
  const { root, privilege, maxDiskBytes, env, workspace = 'overlay', writable = [] } = request;
  const { uid, gid, mode } = await stat(root);
  const mounts = mountsIn(await readFile('/proc/self/mountinfo', 'utf8'));
  const around = await surroundingsOf(root, env);
  const fixed = [root, String(maxDiskBytes), attributesOption(privilege)];
  const owner = [(mode & 0o7777).toString(8), `${uid}:${gid}`];
  const before = [...pairs('private', around.private), ...pairs('cache', around.caches)];
  const after = [...innerSteps(mounts, root), ...hidden(around)];
  const bound = [0, 1, 2, 3].map((place) => writable[place] ?? '');
  const steps = [...readonlySteps(mounts), '--', ...before, '--', ...after];
  return { script, args: [...fixed, ...owner, workspace, ...bound, ...steps], besides: ['net', 'ipc'] };
}

export interface Mount {
  readonly path: string;
  readonly flags: readonly string[];
}

/** The mounts of a table as `/proc/self/mountinfo` has it. */
export function mountsIn(mountinfo: string): readonly Mount[] {
  return mountinfo
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '))
    .map(([, , , , path = '', options = '']) => ({ path: unescaped(path), flags: options.split(',') }));
}

/** Every mount that must become read-only, as the flags it will have besides and its path. */
export function readonlySteps(mounts: readonly Mount[]): string[] {
  return mounts
    .filter(({ path, flags }) => !flags.includes('ro') && !covered.test(path))
    .flatMap(({ path, flags }) => {
      const kept = flags.filter((flag) => keptFlags.has(flag));
      return [[...new Set(['nosuid', 'nodev', ...kept])].join(','), path];
    });
}

/** What is mounted inside the workspace: the overlay shows an empty directory in its place, so it is put there again. */
export function innerSteps(mounts: readonly Mount[], root: string): string[] {
  const inner = new Set(mounts.map(({ path }) => path).filter((path) => path.startsWith(`${root}/`)));
  return [...inner].flatMap((path) => [`lower${path.slice(root.length)}`, path]);
}

/** These are mounted anew, with whatever lies below them. */
const covered = /^\/(?:proc|dev|tmp)(?:\/|$)/;

/** In a user namespace a mount may only be changed with the flags it has; these can be among them. */
const keptFlags: ReadonlySet<string> = new Set([
  'nosuid',
  'nodev',
  'noexec',
  'noatime',
  'nodiratime',
  'relatime',
  'nosymfollow',
]);

/** The kernel writes blanks and backslashes in paths as three octal digits. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

function pairs(kind: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) => [kind, path]);
}

function hidden({ hiddenDirectories, hiddenFiles }: Surroundings): string[] {
  return [...pairs('empty', hiddenDirectories), ...pairs('nothing', hiddenFiles)];
}

/**
 * Paths are handed to `mount` as they are (`-c`): after the first covering mount, what it would make of them
 * no longer exists. Our own directory is kept by being in it; the second mount on /tmp hides it from all others.
 * Whatever can be written lies in the one filesystem of ours, so that one limit holds for all of it.
 */
const script = `set -e
root=$1 size=$2 extra=$3 mode=$4 owner=$5 shows=$6
shift 6
writable1=$1 writable2=$2 writable3=$3 writable4=$4
shift 4
[ -z "$writable1" ] || exec 6<"$writable1"
[ -z "$writable2" ] || exec 7<"$writable2"
[ -z "$writable3" ] || exec 8<"$writable3"
[ -z "$writable4" ] || exec 9<"$writable4"
exec 5<"$root"
while [ "$1" != -- ]; do
  mount -c -o "remount,bind,ro,$1" "$2" || [ ! -e "$2" ]
  shift 2
done
shift
mount -c -t tmpfs -o "size=$size,mode=700,nosuid,nodev" storage /tmp
cd /tmp
mkdir lower upper work shown dev empty
mkdir -m 1777 tmp shm
: > nothing
chown "$owner" upper 2>/dev/null || true
chmod "$mode" upper
mount -c --rbind /dev dev
mount -c --rbind /proc/self/fd/5 lower
exec 5<&-
if [ "$shows" = overlay ]; then
  mount -c -t overlay -o "nosuid,nodev,lowerdir=lower,upperdir=upper,workdir=work$extra" overlay shown
else
  mount -c --bind lower shown
  mount -c -o remount,bind,ro,nosuid,nodev shown
fi
mount -c --bind tmp /tmp
mount -c -t tmpfs -o size=64k,mode=755,nosuid dev /dev
for name in null zero full random urandom tty; do
  : > "/dev/$name"
  mount -c --bind "dev/$name" "/dev/$name"
done
mkdir /dev/shm /dev/pts
mount -c --bind shm /dev/shm
mount -c -t devpts -o newinstance,ptmxmode=0666,mode=620 pts /dev/pts 2>/dev/null || true
ln -s pts/ptmx /dev/ptmx
ln -s /proc/self/fd /dev/fd
ln -s fd/0 /dev/stdin
ln -s fd/1 /dev/stdout
ln -s fd/2 /dev/stderr
mount -c -o remount,bind,ro,nosuid /dev
system=$(readlink /run/current-system || true)
number=0
while [ "$1" != -- ]; do
  number=$((number + 1))
  case $1 in
    private)
      mkdir -m 1777 "private$number"
      mount -c --bind "private$number" "$2" ;;
    cache)
      mkdir -p "cache$number/lower" "cache$number/upper" "cache$number/work"
      parts="lowerdir=cache$number/lower,upperdir=cache$number/upper,workdir=cache$number/work"
      mount -c --rbind "$2" "cache$number/lower" &&
        mount -c -t overlay -o "nosuid,nodev,$parts$extra" overlay "$2" || true ;;
  esac
  shift 2
done
shift
[ -z "$system" ] || [ -e /run/current-system ] || ln -s "$system" /run/current-system
mkdir -p "$root"
mount -c --bind shown "$root"
while [ $# -gt 0 ]; do
  mount -c -o bind,ro "$1" "$2"
  shift 2
done
bind_writable() {
  [ -z "$2" ] && return 0
  mkdir -p "$2" && mount -c --bind "/proc/self/fd/$1" "$2" && mount -c -o remount,bind,rw,nosuid,nodev "$2"
}
bind_writable 6 "$writable1"
bind_writable 7 "$writable2"
bind_writable 8 "$writable3"
bind_writable 9 "$writable4"
exec 6<&- 7<&- 8<&- 9<&-
ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || true
echo mounted
read -r _`;
