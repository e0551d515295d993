/**
 * What a configuration means for the files it is about, as far as verdicts depend on it.
 *
 * A file that enters a project brings its errors along, though nothing in it changed: a server that judges any file
 * it is shown has known them all the while, and would call them old. So what a configuration says about which files
 * are checked is told apart from the rest of it.
 *
 * Invariant: two texts with one meaning are read alike; where that cannot be told, the meanings differ.
 */
import { parse as parseToml } from 'smol-toml';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { baseName } from '../../workspace/workspace-path.ts';
import { fieldOf, parseLooseJson } from './keys/loose-json.ts';

export interface ConfigMeaning {
  /** Everything that bears on any file. */
  readonly relevant: string;
  /** Which files are checked at all; empty for a configuration that does not say. */
  readonly membership: string;
}

export function configMeaning(path: WorkspacePath, text: string | undefined): ConfigMeaning {
  const decides = decidesMembership(path);
  if (text === undefined) return { relevant: 'none', membership: decides ? 'none' : '' };
  const unread = { relevant: text, membership: decides ? text : '' };
  try {
    if (baseName(path) === 'pyproject.toml') return { relevant: checkerTables(text), membership: '' };
    if (!path.endsWith('.json')) return unread;
    const config = parseLooseJson(text);
    if (isManifest(path))
      return {
        relevant: JSON.stringify(packageFields.map((field) => fieldOf(config, field))),
        membership: '',
      };
    return { relevant: JSON.stringify(config), membership: decides ? membershipIn(config) : '' };
  } catch {
    return unread;
  }
}

/** Of what all tools of a Python project are told, the part that is for checkers. */
function checkerTables(text: string): string {
  const tools = fieldOf(parseToml(text), 'tool');
  return JSON.stringify(pythonCheckers.map((name) => fieldOf(tools, name) ?? null));
}

const pythonCheckers = ['pyright', 'basedpyright', 'mypy', 'pylsp'];

function membershipIn(config: unknown): string {
  const options = fieldOf(config, 'compilerOptions');
  return JSON.stringify([
    ...memberFields.map((field) => fieldOf(config, field)),
    ...memberOptions.map((option) => fieldOf(options, option)),
  ]);
}

/** A configuration that others build on may have any name. */
function decidesMembership(path: WorkspacePath): boolean {
  const name = baseName(path).toLowerCase();
  // Of Python's projects it is known on both sides of a change which files they check.
  if (name === 'pyrightconfig.json') return false;
  const isOther = isManifest(path) || name === 'compile_commands.json' || path.includes('node_modules/');
  return name.endsWith('.json') && !isOther;
}

function isManifest(path: WorkspacePath): boolean {
  return baseName(path).toLowerCase() === 'package.json';
}

/** Of a package's manifest, what decides how imports are resolved and files are read; scripts and versions do not. */
const packageFields = [
  ...['name', 'type', 'main', 'module', 'browser', 'types', 'typings', 'typesVersions', 'exports', 'imports'],
  ...['workspaces', 'dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'],
];

/** Of TypeScript's configuration. */
const memberFields = ['extends', 'files', 'include', 'exclude', 'references'];
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
