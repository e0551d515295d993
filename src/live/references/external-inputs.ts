/**
 * What a server reads besides the files of its workspace: packages, and configuration in the directories above.
 *
 * Packages are identified by name and manifest, as package managers do, not by the contents of their files.
 *
 * Invariant: if an answer could depend on something that changes without a trace (a package linked in from elsewhere,
 * a search path in the environment), there is no description.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { errnoOf } from '../../base/errno.ts';
import type { ReachFamily } from '../../graph/reach/reach-family.ts';
import { sha256 } from '../../storage/hash.ts';
import { type FileStamp, isSameStamp, stampAt } from '../../workspace/disk-state.ts';
import { textAt } from '../../workspace/text-at.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';

interface SurroundingsRequest {
  readonly workspace: Workspace;
  readonly family: ReachFamily;
  /** Package directories inside the workspace. */
  readonly packages: readonly WorkspacePath[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Caches what it read of files that were not modified since. */
export class ExternalInputs {
  readonly #request: Omit<SurroundingsRequest, 'packages'>;
  readonly #hashes = new Map<string, { readonly stamp: FileStamp; readonly hash: string }>();

  #changedMs = 0;
  #described: string | undefined;

  constructor(request: Omit<SurroundingsRequest, 'packages'>) {
    this.#request = request;
  }

  /** When anything described last changed; servers are not notified of that. */
  get changedMs(): number {
    return this.#changedMs;
  }

  /** A text that changes with everything the server may read there; undefined if that cannot be guaranteed. */
  describe(packages: readonly WorkspacePath[]): string | undefined {
    const request = { ...this.#request, packages };
    const hashAt = (file: string): string | undefined => this.#hashAt(file);
    const above = configurationAbove(request.workspace.root, hashAt);
    const found = request.family === 'python' ? pythonPackages(request) : nodePackages(request, hashAt);
    if (found === undefined) return undefined;
    const described = [...above, ...found].join('\n');
    // Installing and removing packages changes directories whose modification times were not checked.
    if (this.#described !== undefined && this.#described !== described) this.#changedMs = Date.now();
    this.#described = described;
    return described;
  }

  #hashAt(file: string): string | undefined {
    const stamp = stampAt(file);
    if (!stamp) return undefined;
    this.#changedMs = Math.max(this.#changedMs, stamp.changedMs);
    const known = this.#hashes.get(file);
    if (known && isSameStamp(known.stamp, stamp, file)) return known.hash;
    const text = textAt(file);
    if (text === undefined) return undefined;
    const hash = sha256(text);
    this.#hashes.set(file, { stamp, hash });
    return hash;
  }
}

type HashAt = (file: string) => string | undefined;

/** Which families of servers are known to read nothing else. */
export function isSurveyable(family: ReachFamily): boolean {
  return family === 'ecmascript' || family === 'python';
}

/** Whether servers of a family read the file at `path`, besides sources and known configuration. */
export function isReadBy(family: ReachFamily, path: string): boolean {
  if (locks.test(path)) return true;
  // Data can be imported, and a native module replaces a source.
  return family === 'python' ? /\.(?:so|pyd|toml|cfg)$/.test(path) : /\.jsonc?$/.test(path);
}

/** Lock files: they select packages, whatever is installed. */
const locks =
  /(?:^|\/)(?:pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|poetry\.lock|uv\.lock|Pipfile\.lock|requirements[^/]*\.txt)$/;

const configurations = [
  'tsconfig.json',
  'jsconfig.json',
  'tsconfig.base.json',
  'package.json',
  'pyrightconfig.json',
  'pyproject.toml',
];

function configurationAbove(root: string, hashAt: HashAt): readonly string[] {
  return ancestorsOf(root).flatMap(({ directory, steps }) =>
    configurations.flatMap((name) => {
      const hash = hashAt(join(directory, name));
      return hash === undefined ? [] : `${'../'.repeat(steps)}${name} ${hash}`;
    }),
  );
}

/** Nearest first. */
function ancestorsOf(root: string): readonly { readonly directory: string; readonly steps: number }[] {
  const found: { directory: string; steps: number }[] = [];
  for (let directory = dirname(root), at = root, steps = 1; directory !== at; steps++) {
    found.push({ directory, steps });
    at = directory;
    directory = dirname(directory);
  }
  return found;
}

function nodePackages(
  { workspace, packages }: SurroundingsRequest,
  hashAt: HashAt,
): readonly string[] | undefined {
  const above = ancestorsOf(workspace.root).map(({ directory, steps }) => ({
    directory: join(directory, 'node_modules'),
    label: `${'../'.repeat(steps)}node_modules`,
  }));
  const inside = packages
    .filter((path) => path.endsWith('node_modules'))
    .map((path) => ({ directory: workspace.absolute(path), label: path }));
  const lines: string[] = [];
  for (const { directory, label } of [...inside, ...above]) {
    const found = packagesIn(directory, workspace.root, hashAt);
    if (!found) return undefined;
    if (found.length > 0) lines.push(label, ...found);
  }
  return lines;
}

/** Files in which package managers record an installation. */
const receipts = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml'];

function packagesIn(directory: string, root: string, hashAt: HashAt): readonly string[] | undefined {
  const lines: string[] = receipts.flatMap((name) => {
    const hash = hashAt(join(directory, name));
    return hash === undefined ? [] : `${name} ${hash}`;
  });
  const names = namesIn(directory).flatMap((name) =>
    name.startsWith('@') ? namesIn(join(directory, name)).map((below) => `${name}/${below}`) : name,
  );
  for (const name of names) {
    if (name.startsWith('.')) continue;
    const manifest = hashAt(join(directory, name, 'package.json'));
    if (manifest === undefined) continue;
    // A package linked in from outside may be edited there without a change to its manifest.
    if (!isBelow(realOf(join(directory, name)), dirname(directory), root)) return undefined;
    lines.push(`${name} ${manifest}`);
  }
  return lines;
}

function isBelow(path: string, ...directories: readonly string[]): boolean {
  return directories.some((directory) => path.startsWith(`${directory}/`));
}

function pythonPackages({ workspace, packages, env }: SurroundingsRequest): readonly string[] | undefined {
  if (env.PYTHONPATH) return undefined;
  const prefixes = new Set([
    ...packages.filter((path) => !path.endsWith('node_modules')).map((path) => workspace.absolute(path)),
    ...[env.VIRTUAL_ENV, env.CONDA_PREFIX].filter((path) => path !== undefined && path !== ''),
    ...pythonPrefixes(env),
    '/usr/local',
    '/usr',
    join(homedir(), '.local'),
  ]);
  const lines: string[] = [];
  for (const prefix of prefixes) {
    for (const directory of sitesBelow(String(prefix))) {
      const names = namesIn(directory);
      const paths = names
        .filter((name) => name.endsWith('.pth'))
        .map((name) => textAt(join(directory, name)) ?? '');
      // Such a file adds further directories, whose contents are unknown.
      if (paths.some((text) => text.split('\n').some((line) => leadsAway(line, workspace.root))))
        return undefined;
      lines.push(sha256([...names, ...paths].join('\n')));
    }
  }
  return lines;
}

function leadsAway(line: string, root: string): boolean {
  return line.startsWith('/') && !isBelow(`${line.trim()}/`, root);
}

function pythonPrefixes(env: SurroundingsRequest['env']): readonly string[] {
  const directories = (env.PATH ?? '').split(delimiter).filter((directory) => directory !== '');
  return ['python3', 'python'].flatMap((name) => {
    const found = directories.find((directory) =>
      statSync(join(directory, name), { throwIfNoEntry: false })?.isFile(),
    );
    return found === undefined ? [] : dirname(dirname(realOf(join(found, name))));
  });
}

function sitesBelow(prefix: string): readonly string[] {
  return ['lib', 'lib64'].flatMap((library) =>
    namesIn(join(prefix, library))
      .filter((name) => name.startsWith('python3'))
      .flatMap((name) => ['site-packages', 'dist-packages'].map((site) => join(prefix, library, name, site))),
  );
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort();
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return [];
  }
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return path;
  }
}
