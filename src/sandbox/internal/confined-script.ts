/**
 * The shell script that builds a confined root.
 *
 * Invariant: every path in it is one quoted word, and a path of the user appears in mount options only if it has no
 * special characters.
 */
import { join } from 'node:path';
import { removedConfiguration } from './configuration-place.ts';
import { type Mount, mountsBelow, readonlyOptions } from './mount-table.ts';
import { placeAbove, type SandboxPlace } from './place.ts';

export interface ScriptParts {
  /** In the order of `arrangedPlaces`. */
  readonly places: readonly SandboxPlace[];
  readonly mounts: readonly Mount[];
  readonly workspace: 'overlay' | 'read-only';
  readonly maxDiskBytes: number;
  /** The mount option for the overlay filesystem's extended attributes. */
  readonly attributes: string;
  /** Of the workspace's root directory. */
  readonly owner: { readonly mode: number; readonly uid: number; readonly gid: number };
  /** Entries of /etc to copy. */
  readonly configuration: readonly string[];
  /** Links of the host to copy. */
  readonly links: readonly string[];
  readonly hidden: readonly { readonly path: string; readonly kind: 'directory' | 'file' }[];
  readonly isRoot: boolean;
  /** The seccomp filter, if there is one for this machine. */
  readonly filter: Buffer | undefined;
}

/** The path of the filter for the confining programs. */
export const filterPath = '/etc/forerun-seccomp.bpf';

/** A directory of the storage and the path at which commands write it. */
export interface WrittenPlace {
  readonly storage: string;
  readonly path: string;
  readonly kind: 'private' | 'cache';
}

/** World-writable directories that programs expect. */
const sharedDirectories: readonly string[] = ['/tmp', '/var/tmp', '/dev/shm', '/run'];

/** Covered by the storage while the root is built; nothing that is shown lies there. */
const base = '/sys';

export class ConfinedScript {
  readonly #parts: ScriptParts;
  readonly #directories: string[] = ['root/old', 'root/etc', 'root/proc', 'root/dev/pts', 'root/var'];
  readonly #texts: string[] = [];
  readonly #mounts: string[] = [];
  readonly #written: WrittenPlace[] = [];
  readonly #privates = new Map<string, string>();

  constructor(parts: ScriptParts) {
    this.#parts = parts;
    for (const place of parts.places) this.#add(place);
  }

  written(): readonly WrittenPlace[] {
    return this.#written;
  }

  text(): string {
    const { maxDiskBytes, owner, workspace } = this.#parts;
    const lower = workspace === 'overlay' ? ['lower', 'upper', 'work'] : [];
    const open = sharedDirectories.flatMap((path) => this.#privates.get(path) ?? []);
    return [
      'set -e',
      'umask 022',
      `mount -c -t tmpfs -o size=${maxDiskBytes},mode=700,nosuid,nodev storage ${base}`,
      `cd ${base}`,
      `mkdir -p -- ${words([...lower, 'empty', ...this.#directories])}`,
      ': > nothing',
      `chmod 1777 ${words(open)}`,
      ...this.#texts,
      ...this.#configurationLines(),
      ...this.#filterLines(),
      ...(workspace === 'overlay'
        ? [
            `chown ${owner.uid}:${owner.gid} upper 2>/dev/null || true`,
            `chmod ${owner.mode.toString(8)} upper`,
          ]
        : []),
      'mount -c --bind root root',
      'mount -c --rbind /proc root/proc',
      ...this.#mounts,
      ...deviceLines,
      ...this.#hiddenLines(),
      'ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || true',
      'pivot_root root root/old',
      'umount -l /old',
      'rmdir /old',
      'mount -c -o remount,bind,ro,nosuid,nodev /',
      // The time of this file separates writes of commands from those of this script.
      ': > ready',
      'echo mounted',
      'read -r _',
    ].join('\n');
  }

  #add(place: SandboxPlace): void {
    const seat = this.#seat(place.path);
    const target = `root${place.path}`;
    switch (place.kind) {
      case 'private':
        this.#addPrivate(place.path, seat);
        return;
      case 'text':
        if (seat === undefined) return;
        this.#makeDirectory(join(seat, '..'));
        this.#texts.push(`printf %s ${quoted(place.text)} > ${quoted(seat)}`);
        return;
      case 'file':
        if (seat === undefined) return;
        this.#makeDirectory(join(seat, '..'));
        this.#texts.push(`: > ${quoted(seat)}`);
        this.#bindReadonly(place.source, target);
        return;
      case 'system':
        this.#makeDirectory(seat);
        this.#bindReadonly(place.path, target);
        return;
      case 'writable':
        this.#makeDirectory(seat);
        this.#mounts.push(`mount -c -o bind,nosuid,nodev ${words([place.path, target])}`);
        return;
      case 'workspace':
        this.#makeDirectory(seat);
        this.#addWorkspace(place.path, target);
        return;
      case 'shown':
      case 'layered':
        this.#makeDirectory(seat);
        this.#addOverlay(place, target);
    }
  }

  /** The path in the storage that will appear at a path; undefined if it belongs to another place. */
  #seat(path: string): string | undefined {
    const above = placeAbove(this.#parts.places, path);
    if (above === undefined) return `root${path}`;
    const storage = this.#privates.get(above.path);
    return storage === undefined ? undefined : storage + path.slice(above.path.length);
  }

  #makeDirectory(seat: string | undefined): void {
    if (seat !== undefined) this.#directories.push(seat);
  }

  #addPrivate(path: string, seat: string | undefined): void {
    if (seat !== undefined && placeAbove(this.#parts.places, path)?.kind === 'private') {
      this.#privates.set(path, seat);
      this.#directories.push(seat);
      return;
    }
    const storage = `private/${this.#directories.length}`;
    this.#privates.set(path, storage);
    this.#directories.push(storage);
    this.#makeDirectory(seat);
    this.#written.push({ storage, path, kind: 'private' });
    this.#mounts.push(`mount -c --bind ${words([storage, `root${path}`])}`);
  }

  #addWorkspace(path: string, target: string): void {
    const { mounts, workspace, attributes } = this.#parts;
    if (workspace === 'read-only') {
      this.#bindReadonly(path, target);
      return;
    }
    const layers = `lowerdir=lower,upperdir=upper,workdir=work${attributes}`;
    this.#mounts.push(
      `mount -c --rbind ${words([path, 'lower'])}`,
      `mount -c -t overlay -o nosuid,nodev,${layers} overlay ${quoted(target)}`,
    );
    // The overlay shows an empty directory at a mount point, so the mounts below are repeated.
    for (const inner of mountsBelow(mounts, path)) {
      this.#mounts.push(`mount -c -o bind,ro ${words([`lower${inner.slice(path.length)}`, `root${inner}`])}`);
    }
  }

  #addOverlay(place: Extract<SandboxPlace, { kind: 'shown' | 'layered' }>, target: string): void {
    const { attributes, mounts } = this.#parts;
    const number = this.#directories.length;
    const lower = isPlain(place.source) ? place.source : `lower-${number}`;
    const lines = lower === place.source ? [] : [`mount -c --bind ${words([place.source, lower])}`];
    if (lower !== place.source) this.#directories.push(lower);
    let layers = `lowerdir=${lower}:empty`;
    if (place.kind === 'layered') {
      const cache = `cache/${number}`;
      this.#directories.push(`${cache}/upper`, `${cache}/work`);
      this.#written.push({ storage: `${cache}/upper`, path: place.path, kind: 'cache' });
      layers = `lowerdir=${lower},upperdir=${cache}/upper,workdir=${cache}/work`;
    }
    lines.push(`mount -c -t overlay -o nosuid,nodev,${layers}${attributes} overlay ${quoted(target)}`);
    // A filesystem that does not support overlays is bound; one that cannot be bound is absent.
    const bound = `mount -c -o rbind,${readonlyOptions(mounts, place.source)} ${words([place.source, target])}`;
    this.#mounts.push(`{ ${lines.join(' && ')}; } 2>/dev/null || ${bound} || true`);
  }

  #bindReadonly(source: string, target: string): void {
    const { mounts } = this.#parts;
    this.#mounts.push(
      `mount -c --rbind ${words([source, target])}`,
      `mount -c -o remount,bind,${readonlyOptions(mounts, source)} ${quoted(target)}`,
    );
    for (const below of mountsBelow(mounts, source)) {
      const options = readonlyOptions(mounts, below);
      const path = quoted(target + below.slice(source.length));
      this.#mounts.push(`mount -c -o remount,bind,${options} ${path} || [ ! -e ${path} ]`);
    }
  }

  #configurationLines(): readonly string[] {
    const { configuration, links, isRoot } = this.#parts;
    const entries = configuration.map((name) => `/etc/${name}`);
    const fromDevices = links.filter((path) => path.startsWith('/dev/'));
    const others = links.filter((path) => !path.startsWith('/dev/'));
    const removed = removedConfiguration.map((name) => `root/etc/${name}`);
    return [
      ...(entries.length > 0 ? [`cp -RP -- ${words(entries)} root/etc/ 2>/dev/null || true`] : []),
      `rm -rf -- ${words(removed)}`,
      // root could copy files that only root may read.
      ...(isRoot ? ['find root/etc ! -type l ! -perm -004 -prune -exec rm -rf -- {} +'] : []),
      ...(others.length > 0 ? [`cp -P -- ${words(others)} root/`] : []),
      ...(fromDevices.length > 0 ? [`cp -P -- ${words(fromDevices)} root/dev/`] : []),
      'ln -s pts/ptmx root/dev/ptmx',
      '[ -e root/var/run ] || ln -s /run root/var/run',
      `[ ! -L /run/current-system ] || cp -P /run/current-system ${quoted(this.#privates.get('/run') ?? 'empty')}/`,
    ];
  }

  #filterLines(): readonly string[] {
    const { filter } = this.#parts;
    if (filter === undefined) return [];
    const digits = [...filter].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
    return [`printf ${quoted(digits)} > root${filterPath}`];
  }

  #hiddenLines(): readonly string[] {
    return this.#parts.hidden.map(({ path, kind }) => {
      const target = quoted(`root${path}`);
      const cover = kind === 'directory' ? 'empty' : 'nothing';
      return `[ ! -e ${target} ] || mount -c -o bind,ro ${cover} ${target}`;
    });
  }
}

const deviceLines: readonly string[] = [
  'for name in null zero full random urandom tty; do',
  '  : > "root/dev/$name"',
  '  mount -c --bind "/dev/$name" "root/dev/$name"',
  'done',
  'mount -c -t devpts -o newinstance,ptmxmode=0666,mode=620 pts root/dev/pts 2>/dev/null || true',
];

/** Whether a path has no special meaning in overlay options. */
function isPlain(path: string): boolean {
  return /^[\w./@+~-]+$/.test(path);
}

function words(paths: readonly string[]): string {
  return paths.map(quoted).join(' ');
}

export function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
