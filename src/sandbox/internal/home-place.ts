/**
 * The home directory of a confined command: empty, private, and at the path of the user's own.
 *
 * Invariant: the command always gets a writable home directory, whatever the environment says.
 */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, normalize } from 'node:path';
import { userId } from '../../storage/user-directories.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** For commands whose environment names no usable home directory. It always exists. */
export const spareHome = '/run/home';

/** The path of a command's home directory. */
export function insideHome(env: Environment): string {
  return homesOf(env)[0] ?? spareHome;
}

/** The user's home directories by environment and user database, if usable. */
export function homesOf(env: Environment): readonly string[] {
  const named = [env.HOME, ownHome()].flatMap((path) => (path && isAbsolute(path) ? [normalize(path)] : []));
  const homes = named.map((path) => path.replace(/(?<=.)\/+$/, '')).filter((path) => !unfit.test(path));
  return [...new Set(homes)];
}

/** All home directories, since root can read them. */
export function everyHome(env: Environment): readonly string[] {
  const known = passwdEntries().map(({ home }) => home);
  return [...new Set([...homesOf(env), ...known.filter((home) => !unfit.test(home))])];
}

/** System directories, in which some accounts have their home, and `/`. */
const unfit =
  /^\/(?:(?:usr|bin|sbin|lib\w*|etc|proc|sys|dev|boot|run|nix|gnu|snap)(?:\/.*)?|(?:tmp|var|home|opt|srv|mnt|media)?|var\/(?:tmp|run)|nonexistent)$/;

/** The user database inside: system accounts and the user. */
export function passwdText(env: Environment): string {
  const uid = userId();
  const entries = passwdEntries();
  const own = entries.find((entry) => entry.uid === uid);
  const name = own?.name ?? (uid === 0 ? 'root' : 'user');
  const lines = entries
    .filter((entry) => entry.uid !== uid && (entry.uid < 1000 || entry.uid === 65_534))
    .map(
      (entry) =>
        `${entry.name}:x:${entry.uid}:${entry.gid}::${entry.uid === 0 ? '/root' : '/nonexistent'}:/bin/sh`,
    );
  const gid = process.getgid?.() ?? uid;
  return [`${name}:x:${uid}:${gid}::${insideHome(env)}:/bin/sh`, ...lines, ''].join('\n');
}

/** The groups inside: system groups without members, and the user's own. */
export function groupText(): string {
  const gid = process.getgid?.() ?? userId();
  const groups = fieldsOf('/etc/group').map(([name = '', , id = '']) => ({ name, id: Number(id) }));
  const kept = groups.filter(({ id }) => id < 1000 || id === gid || id === 65_534);
  const own = kept.some(({ id }) => id === gid) ? [] : [{ name: 'user', id: gid }];
  return [...kept, ...own].map(({ name, id }) => `${name}:x:${id}:\n`).join('');
}

interface PasswdEntry {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

function passwdEntries(): readonly PasswdEntry[] {
  return fieldsOf('/etc/passwd').map(([name = '', , uid = '', gid = '', , home = '']) => ({
    name,
    uid: Number(uid),
    gid: Number(gid),
    home,
  }));
}

function fieldsOf(file: string): readonly (readonly string[])[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.map((line) => line.split(':')).filter((fields) => fields.length >= 4);
  } catch {
    // A container may have none; then only the user's own entry exists.
    return [];
  }
}

function ownHome(): string | undefined {
  try {
    return homedir();
  } catch {
    // libuv fails for a user id without an entry.
    return undefined;
  }
}

/** The part of the user's git configuration that commands may see: identity, and how files are written. */
export function gitConfigText(env: Environment): string {
  const lines: string[] = [];
  for (const file of homesOf(env).flatMap((home) => [
    join(home, '.config/git/config'),
    join(home, '.gitconfig'),
  ])) {
    let section = '';
    for (const line of linesOf(file)) {
      const opened = /^\s*\[\s*([\w.-]+)\s*\]\s*$/.exec(line)?.[1]?.toLowerCase();
      if (/^\s*\[/.test(line)) section = opened ?? '';
      const [, key = '', value = ''] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      if (harmlessKeys.has(`${section}.${key.toLowerCase()}`) && !value.endsWith('\\'))
        lines.push(`[${section}]\n\t${key} = ${value}\n`);
    }
  }
  return lines.join('');
}

const harmlessKeys: ReadonlySet<string> = new Set([
  'user.name',
  'user.email',
  'init.defaultbranch',
  'core.autocrlf',
  'core.eol',
  'core.safecrlf',
  'core.filemode',
  'core.ignorecase',
  'core.precomposeunicode',
  'core.quotepath',
  'core.symlinks',
  'safe.directory',
  'merge.conflictstyle',
  'pull.rebase',
  'protocol.file.allow',
]);

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
