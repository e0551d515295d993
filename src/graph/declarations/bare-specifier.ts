/**
 * What a bare specifier (`name`, `@scope/name/path`) may refer to: a file of the workspace, an installed library, or
 * either.
 *
 * The compiler prefers what configurations say (`paths`, `baseUrl`) to packages, and packages of the workspace have
 * names, so a specifier is a library only if no configuration and no manifest of the workspace can mean it.
 *
 * Invariant: where something cannot be read or is not understood, a specifier may refer to anything.
 */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { fieldOf, itemsOf } from '../../base/record.ts';
import { baseName, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { withoutSourceExtension } from '../reach/keys/ecmascript-path.ts';
import { fieldsOf, parseLooseJson, stringsIn } from '../reach/keys/loose-json.ts';
import { directoryOf } from '../reach/reach-family.ts';
import type { InstalledPackages } from './installed-packages.ts';

/** The files of the workspace that a specifier may refer to, by how their paths begin, and whether it may lead out. */
export interface SpecifierTarget {
  readonly beginnings: readonly string[] | 'any';
  readonly mayLeave: boolean;
}

export interface ResolutionInputs {
  /** The configurations of the compiler and the manifests of packages, with their texts. */
  readonly configs: ReadonlyMap<WorkspacePath, string | undefined>;
  readonly packages: Pick<InstalledPackages, 'find' | 'textOf'>;
  /** Reads a file of the workspace that a configuration extends, or the manifest of a package. */
  readText(path: WorkspacePath): string | undefined;
  /** The paths of all sources. */
  readonly sources: Iterable<WorkspacePath>;
}

const anything: SpecifierTarget = { beginnings: 'any', mayLeave: true };

export class BareSpecifiers {
  readonly #inputs: ResolutionInputs;
  readonly #rules: ResolutionRules;
  /** The paths of all sources in one text: each begins with a slash. */
  readonly #paths: string;

  constructor(inputs: ResolutionInputs) {
    this.#inputs = inputs;
    this.#rules = readRules(inputs);
    this.#paths = [...inputs.sources].map((path) => `/${path}`).join('\n');
  }

  /** What a specifier may refer to for the files of a directory. */
  targetOf(directory: string, specifier: string): SpecifierTarget {
    const name = packageNameOf(specifier);
    if (name === undefined || this.#rules.areUnknown || this.#mayBePath(specifier)) return anything;
    const aliases = this.#rules.aliases.filter(({ pattern }) => isMatched(pattern, specifier));
    const found = this.#inputs.packages.find(directory, name);
    const aliased = aliases.flatMap((alias) => targetsFor(alias, specifier));
    const named = this.#rules.directories.get(name) ?? [];
    switch (found.kind) {
      case 'workspace':
        return this.#within([...aliased, ...this.#inside(found.directory)], 'stays');
      case 'library':
        return this.#within([...aliased, ...named], 'may leave');
      case 'missing':
        // Where no configuration is found, it may be one that lies outside and has aliases.
        if (!this.#rules.areConfigured && !isBuiltin(specifier)) return anything;
        // Without an alias only a declaration of the module itself (`declare module`) can give it a type.
        return this.#within(
          [...aliased, ...named],
          aliased.length > 0 && !isBuiltin(specifier) ? 'stays' : 'may leave',
        );
      case 'dependent':
        return anything;
    }
  }

  /** Files that begin in one of these ways; an empty one stands for any file. */
  #within(beginnings: readonly string[], leaving: 'stays' | 'may leave'): SpecifierTarget {
    const mayLeave = leaving === 'may leave' || beginnings.includes('');
    // A reference to a project lets the compiler read a source where a specifier names its output.
    const isOpen = beginnings.length > 0 && (this.#rules.hasReferences || beginnings.includes(''));
    return { beginnings: isOpen ? 'any' : beginnings, mayLeave };
  }

  /** Whether a relative specifier refers to files that begin with the path it names, and to no others. */
  get areRelativeExact(): boolean {
    const { areUnknown, hasReferences, mergesRoots } = this.#rules;
    return !areUnknown && !hasReferences && !mergesRoots;
  }

  /** Whether a specifier may refer to files with more in their name than it and an extension (`moduleSuffixes`). */
  get hasSuffixes(): boolean {
    const { areUnknown, hasSuffixes } = this.#rules;
    return areUnknown || hasSuffixes;
  }

  /** Whether a specifier may refer to a library whose own types come from the workspace. */
  isDependentLibrary(directory: string, specifier: string): boolean {
    const name = packageNameOf(specifier);
    return name !== undefined && this.#inputs.packages.find(directory, name).kind === 'dependent';
  }

  /** The files that import from such libraries, with the specifiers of these. */
  dependentsIn(
    imports: Iterable<readonly [WorkspacePath, readonly string[]]>,
  ): ReadonlyMap<WorkspacePath, ReadonlySet<string>> {
    const found = [...imports].map(([path, specifiers]) => {
      const directory = directoryOf(path);
      return [path, new Set(specifiers.filter((each) => this.isDependentLibrary(directory, each)))] as const;
    });
    return new Map(found.filter(([, specifiers]) => specifiers.size > 0));
  }

  /** Whether a specifier may be a path: below a `baseUrl`, or in a directory above, as compilers once resolved it. */
  #mayBePath(specifier: string): boolean {
    const { hasBase, mayBeClassic } = this.#rules;
    return (
      ((hasBase || mayBeClassic) && this.#paths.includes(`/${specifier}.`)) ||
      (hasBase && this.#paths.includes(`/${specifier}/`))
    );
  }

  /** The directory of a package, whose manifest may name a file elsewhere. */
  #inside(directory: string): readonly string[] {
    const manifest = this.#inputs.readText(`${directory}/package.json` as WorkspacePath);
    const isOpen = manifest === undefined || manifest.includes('"..') || directory === '';
    return isOpen ? [''] : [`${directory}/`];
  }
}

/** The package that a specifier names; undefined for a path, an URL and an internal import. */
export function packageNameOf(specifier: string): string | undefined {
  return /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*(?=$|\/)/.exec(specifier)?.[0];
}

interface ModuleAlias {
  readonly pattern: string;
  /** Relative to the workspace. */
  readonly targets: readonly string[];
}

interface ResolutionRules {
  /** Whether some rule could not be read, so that a specifier may refer to anything. */
  readonly areUnknown: boolean;
  /** Whether there is any configuration of the compiler. */
  readonly areConfigured: boolean;
  readonly aliases: readonly ModuleAlias[];
  readonly hasBase: boolean;
  /** Whether a configuration may resolve names as `classic` does, by which they are also paths. */
  readonly mayBeClassic: boolean;
  readonly hasReferences: boolean;
  /** Whether relative specifiers may refer to other directories than they name. */
  readonly mergesRoots: boolean;
  readonly hasSuffixes: boolean;
  /** The directories of the packages of the workspace, by name. */
  readonly directories: ReadonlyMap<string, readonly string[]>;
}

/** The rules of all configurations together, since a file may be in any project. */
function readRules(inputs: ResolutionInputs): ResolutionRules {
  const configs = configsIn(inputs);
  const manifests = [...inputs.configs].filter(([path]) => baseName(path) === 'package.json');
  // With plug and play, packages are found by a program instead of directories.
  const plugged = ['.pnp.cjs', '.pnp.js'].map((name) => inputs.readText(name as WorkspacePath));
  return {
    areUnknown: configs === undefined || plugged.some((text) => text !== undefined),
    areConfigured: (configs ?? []).length > 0,
    aliases: (configs ?? []).flatMap(aliasesIn),
    hasBase: (configs ?? []).some(({ options }) => fieldOf(options, 'baseUrl') !== undefined),
    mayBeClassic: (configs ?? []).some((config) => !isModern(config, configs ?? [])),
    hasReferences: (configs ?? []).some(({ config }) => itemsOf(fieldOf(config, 'references')).length > 0),
    mergesRoots: (configs ?? []).some(({ options }) => fieldOf(options, 'rootDirs') !== undefined),
    hasSuffixes: (configs ?? []).some(({ options }) => fieldOf(options, 'moduleSuffixes') !== undefined),
    directories: directoriesByName(manifests),
  };
}

interface ReadConfig {
  readonly path: string;
  readonly config: unknown;
  readonly options: unknown;
  /** The paths of those it extends; a later one overrides an earlier one. */
  readonly extended: readonly string[];
}

/** The configurations and those that they extend; undefined if one cannot be read or finds types in a way of its own. */
function configsIn(inputs: ResolutionInputs): readonly ReadConfig[] | undefined {
  const texts: ConfigText[] = [...inputs.configs].map(([path, text]) => ({ path, text }));
  const queue = texts.filter(({ path }) => baseName(path) !== 'package.json');
  const seen = new Set(queue.map(({ path }) => path));
  const found: ReadConfig[] = [];
  // The queue grows by the configurations that others extend.
  for (const { path, text } of queue) {
    const config = parsed(text);
    const options = fieldOf(config, 'compilerOptions');
    if (config === undefined || fieldOf(options, 'typeRoots') !== undefined) return undefined;
    const extended: string[] = [];
    for (const target of stringsIn(fieldOf(config, 'extends'))) {
      const base = extendedBy(path, target, inputs);
      if (base === undefined) return undefined;
      if (!seen.has(base.path)) queue.push(base);
      seen.add(base.path);
      extended.push(base.path);
    }
    found.push({ path, config, options, extended });
  }
  return found;
}

/** Whether a configuration surely resolves names as packages alone, whatever the version of the compiler. */
function isModern(config: ReadConfig, all: readonly ReadConfig[]): boolean {
  const resolution = optionOf('moduleResolution', config, all);
  if (typeof resolution === 'string') return resolution.toLowerCase() !== 'classic';
  const format = optionOf('module', config, all);
  return typeof format === 'string' && /^(?:commonjs|preserve|node\w+)$/i.test(format);
}

/** An option of a configuration, its own or an inherited one. Each configuration is looked at once. */
function optionOf(
  name: string,
  { path, options, extended }: ReadConfig,
  all: readonly ReadConfig[],
  seen: Set<string> = new Set(),
): unknown {
  const own = fieldOf(options, name);
  if (own !== undefined || seen.has(path)) return own;
  seen.add(path);
  for (const base of extended.toReversed()) {
    const config = all.find((each) => each.path === base);
    const inherited = config && optionOf(name, config, all, seen);
    if (inherited !== undefined) return inherited;
  }
  return undefined;
}

function aliasesIn({ path, options }: ReadConfig): readonly ModuleAlias[] {
  return fieldsOf(fieldOf(options, 'paths')).map(([pattern, targets]) => ({
    pattern,
    targets: stringsIn(targets).map((target) => targetIn(path, target)),
  }));
}

function directoriesByName(
  manifests: Iterable<readonly [string, string | undefined]>,
): ReadonlyMap<string, readonly string[]> {
  const directories = new Map<string, string[]>();
  for (const [path, text = ''] of manifests) {
    const place = directoryOf(path);
    for (const [, name = ''] of text.matchAll(nameInManifest))
      directories.set(name, [...(directories.get(name) ?? []), place === '' ? '' : `${place}/`]);
  }
  return directories;
}

/** Names of other things match as well, and those in a manifest that does not parse. */
const nameInManifest = /"name"\s*:\s*"([^"]+)"/g;

interface ConfigText {
  readonly path: string;
  readonly text: string | undefined;
}

function extendedBy(path: string, target: string, inputs: ResolutionInputs): ConfigText | undefined {
  const directory = directoryOf(path);
  const endings = ['', '.json', '/tsconfig.json'];
  const isPath = /^\.\.?\//.test(target);
  for (const ending of endings) {
    const file = isPath ? posix.join(directory, target + ending) : target + ending;
    if (file.startsWith('..')) return undefined;
    // Paths in a configuration of a library are relative to it: they are read as leading out of the workspace.
    const text = isPath ? inputs.readText(file as WorkspacePath) : inputs.packages.textOf(directory, file);
    if (text !== undefined) return { path: isPath ? file : `../node_modules/${file}`, text };
  }
  return undefined;
}

/** A target of `paths`, relative to the workspace; empty if it may lie anywhere. */
function targetIn(config: string, target: string): string {
  const path = posix.join(directoryOf(config), target);
  return posix.isAbsolute(target) || target.startsWith('${') || path.startsWith('..') ? '' : path;
}

/** How the files begin that an alias leads to; an empty one stands for any file. */
function targetsFor({ pattern, targets }: ModuleAlias, specifier: string): readonly string[] {
  const star = pattern.indexOf('*');
  const rest = star < 0 ? '' : specifier.slice(star, specifier.length - (pattern.length - star - 1));
  return targets.map((target) =>
    withoutSourceExtension(target.replace('*', () => rest)).replace(/^\.\/?$/, ''),
  );
}

function isMatched(pattern: string, specifier: string): boolean {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === specifier;
  return specifier.startsWith(pattern.slice(0, star)) && specifier.endsWith(pattern.slice(star + 1));
}

/** The value of a configuration; undefined if it cannot be parsed, an empty one for an empty file. */
function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return text.trim() === '' ? {} : parseLooseJson(text);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}
