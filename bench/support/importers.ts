/** How many files depend on each file of a TypeScript workspace, directly or through others; by the compiler's own resolution. */
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import type { Sources } from '../../test/support/changes/sources.ts';

export function countDependents(root: string, sources: Sources): ReadonlyMap<string, number> {
  const importers = new Map<string, Set<string>>(sources.paths.map((path) => [path, new Set()]));
  const options = optionsByDirectory(root);
  for (const path of sources.paths) {
    const file = join(root, path);
    for (const { fileName } of ts.preProcessFile(sources.text(path) ?? '').importedFiles) {
      const { resolvedModule } = ts.resolveModuleName(fileName, file, options(dirname(file)), ts.sys);
      const target = resolvedModule && relative(root, resolvedModule.resolvedFileName);
      if (target !== undefined) importers.get(target)?.add(path);
    }
  }
  return new Map(sources.paths.map((path) => [path, reached(path, importers).size - 1]));
}

function reached(path: string, importers: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const seen = new Set([path]);
  // A Set is walked in the order of insertion, what is added on the way included.
  for (const each of seen) for (const importer of importers.get(each) ?? []) seen.add(importer);
  return seen;
}

/** The options of the nearest configuration, read once for each. */
function optionsByDirectory(root: string): (directory: string) => ts.CompilerOptions {
  const known = new Map<string, ts.CompilerOptions>();
  return (directory) => {
    const config = ts.findConfigFile(directory, ts.sys.fileExists) ?? join(root, 'tsconfig.json');
    const options = known.get(config) ?? readOptions(config);
    known.set(config, options);
    return options;
  };
}

function readOptions(config: string): ts.CompilerOptions {
  const { config: json } = ts.readConfigFile(config, ts.sys.readFile);
  // Only options are wanted: a host that lists no files spares the walk of the tree.
  const host: ts.ParseConfigHost = { ...ts.sys, readDirectory: () => [] };
  return ts.parseJsonConfigFileContent(json ?? {}, host, dirname(config), undefined, config).options;
}
