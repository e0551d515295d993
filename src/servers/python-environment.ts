/**
 * The Python environment a workspace is checked against.
 *
 * Invariant: a server is never given the interpreter of an untrusted workspace, because it would execute it. It gets
 * the installed packages instead, which are only read.
 */
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { directoryNames } from '../workspace/directory-entries.ts';
import type { Trust } from '../workspace/trust.ts';
import { executablesNamed } from './internal/executable-search.ts';
import type { ServerDefinition } from './server-definition.ts';

export interface PythonPlaces {
  readonly workspaceDir: string;
  readonly env: Environment;
  readonly trust: Trust;
}

export interface FittedDefinition {
  readonly definition: ServerDefinition;
  /** The interpreter of an untrusted workspace. */
  readonly withheld?: string;
}

const virtualEnvironments = ['.venv', 'venv'] as const;
const binDirectory = process.platform === 'win32' ? 'Scripts' : 'bin';

/** A workspace with its own virtual environment is checked against the packages installed in it. */
export function fitToPython(definition: ServerDefinition, places: PythonPlaces): FittedDefinition {
  if (!definition.languages.some((language) => language === 'python')) return { definition };
  for (const name of virtualEnvironments) {
    const environment = join(places.workspaceDir, name);
    const [pythonPath] = executablesNamed('python', [join(environment, binDirectory)], places.env);
    if (pythonPath === undefined) continue;
    return places.trust === 'trusted'
      ? { definition: withPython(definition, { pythonPath }) }
      : { definition: withLibraries(definition, sitePackages(environment)), withheld: pythonPath };
  }
  return { definition };
}

/** The directories in which the workspace's own environments keep their programs. */
export function virtualEnvironmentBins(workspaceDir: string): readonly string[] {
  return virtualEnvironments.map((name) => join(workspaceDir, name, binDirectory));
}

function withPython(definition: ServerDefinition, python: Members): ServerDefinition {
  const settings = membersOf(definition.settings);
  return { ...definition, settings: { ...settings, python: { ...python, ...membersOf(settings.python) } } };
}

/** Pyright and its descendants share the member `analysis`, each under a section of its own. */
function withLibraries(definition: ServerDefinition, extraPaths: readonly string[]): ServerDefinition {
  const settings = membersOf(definition.settings);
  const sections = Object.entries(settings).map(([name, section]) => {
    const members = membersOf(section);
    const analysis = membersOf(members.analysis);
    const known = Array.isArray(analysis.extraPaths) ? analysis.extraPaths : [];
    return [name, { ...members, analysis: { ...analysis, extraPaths: [...known, ...extraPaths] } }] as const;
  });
  return { ...definition, settings: Object.fromEntries(sections) };
}

/** Where a virtual environment keeps its packages. */
function sitePackages(environment: string): readonly string[] {
  if (process.platform === 'win32') return [join(environment, 'Lib', 'site-packages')];
  const lib = join(environment, 'lib');
  return directoryNames(lib)
    .filter((name) => /^python3(\.\d+)?t?$/.test(name))
    .map((name) => join(lib, name, 'site-packages'));
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
