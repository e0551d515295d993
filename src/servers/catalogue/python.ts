/** Servers for Python. */
import type { ServerDefinition } from '../server-definition.ts';
import { type CatalogueEntry, defineServer } from './entry.ts';

const rootMarkers = [
  'pyrightconfig.json',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'requirements.txt',
  'Pipfile',
  '.git',
];

/**
 * Dependents are pulled by name, so the server need not check every file at every change. Pyright and its descendant
 * share the member `analysis`, each under a section of its own.
 */
const analysis = { diagnosticMode: 'openFilesOnly', autoSearchPaths: true, useLibraryCodeForTypes: true };

/** What pyright and its descendant have in common; both resolve imports of never-saved files from the disk only. */
const pyrightLike = {
  // It asks the interpreter for its search path, which loads .pth files and sitecustomize of the environment.
  executes: 'interpreter',
  languages: ['python'],
  rootMarkers,
  settle: { mode: 'pull' },
  reach: 'python',
  project: 'pyright',
  scoping: 'include-setting',
  quirks: {
    readiness: 'immediate',
    untitledWork: 'passes',
    opensWithDiskTextFirst: true,
    answersOpenFilesOnly: true,
    // By `autoSearchPaths`.
    sourceRootAtStart: 'src',
  },
} as const satisfies Partial<CatalogueEntry>;

export const pythonServers: readonly ServerDefinition[] = [
  defineServer({
    ...pyrightLike,
    name: 'pyright',
    embedded: 'pyright',
    command: ['pyright-langserver', '--stdio'],
    installHint: 'npm i -g pyright',
    settings: { python: { analysis } },
    preference: 100,
  }),
  defineServer({
    ...pyrightLike,
    name: 'basedpyright',
    command: ['basedpyright-langserver', '--stdio'],
    installHint: 'npm i -g basedpyright',
    settings: { python: { analysis }, basedpyright: { analysis } },
    preference: 60,
  }),
  defineServer({
    name: 'pylsp',
    // rope runs .ropeproject/config.py of the workspace.
    executes: 'workspace-code',
    languages: ['python'],
    command: ['pylsp'],
    probe: ['--version'],
    installHint: "pip install 'python-lsp-server[all]'",
    rootMarkers,
    reach: 'python',
  }),
];
