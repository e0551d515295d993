import type { DeclarationFiles } from '../../src/graph/declarations/declaration-index.ts';
import { InstalledPackages } from '../../src/graph/declarations/installed-packages.ts';
import { isConfigFile } from '../../src/graph/reach/reach-family.ts';
import type { WorkspacePath } from '../../src/workspace/workspace-path.ts';

/** The files of an index of declarations, from texts; packages are looked for below `root`, which need not exist. */
export function declarationFiles(
  texts: ReadonlyMap<string, string>,
  root = '/nonexistent-workspace',
): DeclarationFiles {
  const paths = () => [...texts.keys()].filter((path) => !path.includes('node_modules/')) as WorkspacePath[];
  return {
    list: async () => paths(),
    listConfigs: async () => paths().filter((path) => isConfigFile('ecmascript', path)),
    readText: (path) => texts.get(path),
    packages: new InstalledPackages(root),
  };
}
