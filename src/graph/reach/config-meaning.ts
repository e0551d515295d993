/**
 * The meaning of a configuration, as far as verdicts depend on it.
 *
 * A file that enters a project introduces its errors, though its text is unchanged: a server that checks any open
 * file has reported them before, and they would count as old. So the rules that select the checked files are
 * separated from the rest.
 *
 * Invariant: two texts with one meaning are read alike; if that cannot be determined, the meanings differ.
 */

import { parse as parseToml } from 'smol-toml';
import { fieldOf, isRecord } from '../../base/record.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { baseName } from '../../workspace/workspace-path.ts';
import { parseLooseJson } from './keys/loose-json.ts';

export interface ConfigMeaning {
  /** Everything that affects any file. */
  readonly relevant: string;
  /** Which files are checked at all; empty for a configuration that does not decide it. */
  readonly membership: string;
  /** What a file that imports it as data sees: its fields with the kinds of their values. Absent: everything. */
  readonly shape?: string;
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
        shape: JSON.stringify(shapeOf(config)),
      };
    return { relevant: JSON.stringify(config), membership: decides ? membershipIn(config) : '' };
  } catch {
    return unread;
  }
}

/** The types that a compiler gives data are those of its values, never the values themselves. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (!isRecord(value)) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field)]));
}

/** The tables of a Python project file that concern type checkers. */
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

/** A configuration that others extend may have any name. */
function decidesMembership(path: WorkspacePath): boolean {
  const name = baseName(path).toLowerCase();
  // For Python projects the checked files are known on both sides of a change.
  if (name === 'pyrightconfig.json') return false;
  const isOther = isManifest(path) || name === 'compile_commands.json' || path.includes('node_modules/');
  return name.endsWith('.json') && !isOther;
}

function isManifest(path: WorkspacePath): boolean {
  return baseName(path).toLowerCase() === 'package.json';
}

/**
 * The fields of a package manifest that decide how imports are resolved and files are read; scripts and versions do
 * not.
 */
const packageFields = [
  ...['name', 'type', 'main', 'module', 'browser', 'types', 'typings', 'typesVersions', 'exports', 'imports'],
  ...['workspaces', 'dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'],
];

/** The same for TypeScript's configuration. */
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
