import { posix } from 'node:path';
import { fieldOf } from '../../../base/record.ts';
import { baseName } from '../../../workspace/workspace-path.ts';
import { withoutSourceExtension } from './ecmascript-path.ts';
import { fieldsOf, stringsIn } from './loose-json.ts';

/** Specifiers that refer to a file with another last name. */
export interface ModuleAlias {
  /** The key of importers by this alias. */
  readonly importKey: string;
  /** The directory the target lies in; empty for the whole workspace. */
  readonly under: string;
  /** The end of the target's path; undefined if any file of the directory may be meant. */
  readonly tail: string | undefined;
}

/**
 * The aliases of `paths` in a tsconfig or jsconfig. The base of the targets is left open (`baseUrl` may come from
 * another file): the end of the path identifies them well enough.
 *
 * Invariant: a target with the specifier's last name needs no alias, every other gets one.
 */
export function compilerAliases(config: unknown): readonly ModuleAlias[] {
  return fieldsOf(fieldOf(fieldOf(config, 'compilerOptions'), 'paths')).flatMap(([pattern, targets]) =>
    stringsIn(targets)
      .filter((target) => !keepsLastName(pattern, target))
      .map((target) => ({ importKey: keyOfPattern(pattern), under: '', tail: fixedEnd(target) })),
  );
}

/**
 * The aliases of a package inside the workspace: its name for its entry files, its exports and imports for their
 * targets. Targets may be built from a source of the same name elsewhere in its directory, so only the names of
 * targets count.
 */
export function packageAliases(directory: string, manifest: unknown): readonly ModuleAlias[] {
  const under = directory.toLowerCase();
  const aliases = fieldsOf(fieldOf(manifest, 'imports')).flatMap(([pattern, targets]) =>
    packageTargets(pattern, pattern, targets, under),
  );
  const name = fieldOf(manifest, 'name');
  if (typeof name !== 'string' || name === '') return aliases;
  const entries = entryFields.flatMap((field) => stringsIn(fieldOf(manifest, field)));
  aliases.push(...packageTargets(name, '.', ['./index', ...entries], under));
  aliases.push(...packageTargets(`${name}/*`, '', stringsIn(fieldOf(manifest, 'typesVersions')), under));
  const exported = fieldOf(manifest, 'exports');
  const subpaths = fieldsOf(exported).filter(([key]) => key.startsWith('.'));
  if (subpaths.length === 0) return [...aliases, ...packageTargets(name, '.', exported, under)];
  return [
    ...aliases,
    ...subpaths.flatMap(([key, targets]) => packageTargets(name + key.slice(1), key, targets, under)),
  ];
}

/** The directories that relative specifiers treat as one (`rootDirs`). */
export function mergedRoots(directory: string, config: unknown): readonly string[] {
  return stringsIn(fieldOf(fieldOf(config, 'compilerOptions'), 'rootDirs')).map((root) =>
    posix.join(directory, withoutConfigDir(root), '.').toLowerCase().replace(/\/$/, '').replace(/^\.$/, ''),
  );
}

/** The suffixes of file names that specifiers omit, such as `.ios`. */
export function nameSuffixes(config: unknown): readonly string[] {
  return stringsIn(fieldOf(fieldOf(config, 'compilerOptions'), 'moduleSuffixes'))
    .map((suffix) => suffix.toLowerCase())
    .filter((suffix) => suffix !== '');
}

/** Whether the alias refers to the module at `place`. */
export function isMeantBy(alias: ModuleAlias, place: string): boolean {
  if (alias.under !== '' && !place.startsWith(`${alias.under}/`) && place !== alias.under) return false;
  return alias.tail === undefined || place === alias.tail || place.endsWith(`/${alias.tail}`);
}

const entryFields = ['main', 'module', 'browser', 'types', 'typings', 'source', 'typesVersions'] as const;

function packageTargets(pattern: string, key: string, targets: unknown, under: string): ModuleAlias[] {
  const importKey = keyOfPattern(pattern);
  return stringsIn(targets)
    .filter((target) => !keepsLastName(key, target))
    .map((target) => {
      // A target in another package may itself be an alias; it is not followed and may mean any file.
      const leaves = pattern.startsWith('#') && !target.startsWith('.');
      const end = leaves ? undefined : fixedEnd(target);
      return { importKey, under: leaves ? '' : under, tail: end === undefined ? undefined : baseName(end) };
    });
}

/** `@app/*` stands for everything below `@app/`; a pattern without `*` for itself. */
function keyOfPattern(pattern: string): string {
  const folded = pattern.toLowerCase();
  const star = folded.indexOf('*');
  if (star < 0) return folded.endsWith('/') ? `x:${folded}` : `s:${folded}`;
  return `x:${folded.slice(0, folded.lastIndexOf('/', star) + 1)}`;
}

/** Whether the file of a target always has the last name of the specifier. */
function keepsLastName(pattern: string, target: string): boolean {
  const isFree = (path: string) => path.endsWith('/') || withoutSourceExtension(baseName(path)) === '*';
  return isFree(pattern) && isFree(target);
}

/** The end of a target after any `*`, without extension; undefined if nothing certain is left. */
function fixedEnd(target: string): string | undefined {
  const path = posix.normalize(withoutConfigDir(target).toLowerCase()).replace(/^(?:\.\.?\/)+/, '');
  const end = path.slice(path.lastIndexOf('*') + 1);
  const isCut = end !== path && !end.startsWith('/');
  if (isCut || posix.isAbsolute(path)) return undefined;
  const place = withoutSourceExtension(end.replace(/^\/|\/$/g, ''));
  return place === '' || place === '.' || place === '..' ? undefined : place;
}

function withoutConfigDir(path: string): string {
  return path.replace(/^\$\{configDir\}\/?/i, './');
}
