/**
 * What a configuration says about which files are checked at all.
 *
 * A file that enters a project brings its errors along, though nothing in it changed: a server that judges any file
 * it is shown has known them all the while, and would call them old.
 *
 * Invariant: two texts with one signature check the same files; where that cannot be told, the signatures differ.
 */
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { fieldOf, parseLooseJson } from './keys/loose-json.ts';
import { baseName } from './reach-family.ts';

export function membershipOf(path: WorkspacePath, text: string | undefined): string {
  if (!decides(path)) return '';
  if (text === undefined) return 'none';
  if (!path.endsWith('.json')) return text;
  try {
    const config = parseLooseJson(text);
    const options = fieldOf(config, 'compilerOptions');
    const parts = [
      ...memberFields.map((field) => fieldOf(config, field)),
      ...memberOptions.map((option) => fieldOf(options, option)),
    ];
    return JSON.stringify(parts);
  } catch {
    return text;
  }
}

/** A configuration that others build on may have any name. */
function decides(path: WorkspacePath): boolean {
  const name = baseName(path).toLowerCase();
  if (name === 'pyproject.toml' || name === 'setup.cfg') return true;
  return name.endsWith('.json') && !otherJson.has(name) && !path.includes('node_modules/');
}

const otherJson: ReadonlySet<string> = new Set(['package.json', 'compile_commands.json']);

/** Of TypeScript's configuration and of pyright's. */
const memberFields = [
  'extends',
  'files',
  'include',
  'exclude',
  'references',
  'ignore',
  'executionEnvironments',
];
const memberOptions = [
  'allowJs',
  'checkJs',
  'outDir',
  'rootDir',
  'noEmit',
  'skipLibCheck',
  'types',
  'typeRoots',
];
