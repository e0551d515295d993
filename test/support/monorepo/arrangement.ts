/** Parts that the shapes of generated monorepos are put together from: sources in place, configurations, manifests, links. */
import type { WorkspaceFiles } from '../truth/workspace-files.ts';
import { type Naming, packageSources } from './package-sources.ts';

export const packageNames = ['core', 'geometry', 'app'] as const;
export type PackageName = (typeof packageNames)[number];

/** The packages that a package uses, as a manifest would list them. */
export const uses: Readonly<Record<PackageName, readonly PackageName[]>> = {
  core: [],
  geometry: ['core'],
  app: ['core', 'geometry'],
};

/** A library without DOM and no types from outside: each compiler run reads little besides the workspace. */
const options = { strict: true, target: 'es2022', lib: ['es2022'], types: [], skipLibCheck: true };

export const bundled = { ...options, module: 'esnext', moduleResolution: 'bundler' };
export const nodeStyle = { ...options, module: 'nodenext' };

export const scoped = (name: string): string => `@m/${name}`;

/** Packages that import each other's sources by path. */
export const byPath: Naming = { extension: '', packageNamed: (name) => `../../${name}/src/index` };

/** The sources of all packages, each under `packages/<name>/<directory>`. */
export function allSources(naming: Naming, directory = 'src'): Record<string, string> {
  const entries = packageNames.flatMap((name) =>
    prefixed(`packages/${name}/${directory}`, packageSources(name, naming)),
  );
  return Object.fromEntries(entries);
}

/** One file for each package, at a path in it. */
export function forEachPackage(path: string, content: (name: PackageName) => object): Record<string, string> {
  return Object.fromEntries(packageNames.map((name) => [`packages/${name}/${path}`, json(content(name))]));
}

/** Links as a package manager makes them: one in the root for all, or one in each package for what it uses. */
export function hoistedLinks(): Record<string, string> {
  return Object.fromEntries(
    packageNames.map((name) => [`node_modules/${scoped(name)}`, `../../packages/${name}`]),
  );
}

export function isolatedLinks(): Record<string, string> {
  const entries = packageNames.flatMap((name) =>
    uses[name].map((used) => [`packages/${name}/node_modules/${scoped(used)}`, `../../../${used}`]),
  );
  return Object.fromEntries(entries);
}

export function prefixed(directory: string, files: WorkspaceFiles): readonly (readonly [string, string])[] {
  return Object.entries(files).map(([path, text]) => [`${directory}/${path}`, text] as const);
}

export function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** A check of projects that emits nothing, each by a run of its own. */
export function checkEach(...projects: readonly string[]): readonly (readonly string[])[] {
  return projects.map((project) => ['-p', project, '--noEmit']);
}
