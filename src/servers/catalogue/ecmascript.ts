/** Servers for TypeScript and JavaScript; all of them also read JSX. */
import type { ServerDefinition, Settle } from '../server-definition.ts';
import { importsWithMode } from '../typescript/import-modes.ts';
import { defineServer } from './entry.ts';

const languages = ['typescript', 'javascript'];
const rootMarkers = ['tsconfig.json', 'jsconfig.json', 'package.json', '.git'];

/** Publications of tsserver-based servers have no version; its synchronous commands answer for the text sent before. */
const bySynchronousCommands: Settle = {
  mode: 'request',
  command: 'typescript.tsserverRequest',
  tsserverCommands: ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'],
};

/** Editors downgrade unused names and unreachable code to warnings; a verdict must match the compiler. */
const asTheCompiler = {
  reportStyleChecksAsWarnings: false,
  // Automatic type acquisition would make npm fetch types for libraries without them: it uses the network and gives
  // answers that no compiler gives.
  disableAutomaticTypeAcquisition: true,
  tsserver: { automaticTypeAcquisition: { enabled: false } },
  // A caller that requests hints wants all of them; otherwise they are not requested.
  inlayHints: {
    parameterNames: { enabled: 'all' },
    parameterTypes: { enabled: true },
    variableTypes: { enabled: true },
    propertyDeclarationTypes: { enabled: true },
    functionLikeReturnTypes: { enabled: true },
    enumMemberValues: { enabled: true },
  },
};

/** Suggested imports: while they are on, the server extracts the exports of the whole program after every edit. */
const withImports = { ...asTheCompiler, suggest: { autoImports: true } };
const withoutImports = { ...asTheCompiler, suggest: { autoImports: false } };

export const ecmascriptServers: readonly ServerDefinition[] = [
  defineServer({
    name: 'typescript-7',
    // The native compiler loads no plugins.
    executes: 'nothing',
    languages,
    embedded: 'typescript',
    command: ['tsc', '--lsp', '--stdio'],
    // Go's collector runs half as often: a check of every file takes less processor time, and an eighth more memory
    // (every program of hono checked twice: 1.81 GB at most, 1.59 GB with Go's default).
    defaultEnv: { GOGC: '200' },
    installHint:
      'It comes along with this package; reinstall with optional dependencies, which hold its binary.',
    rootMarkers,
    settings: { typescript: withoutImports, javascript: withoutImports, 'js/ts': withoutImports },
    suggestionSettings: { typescript: withImports, javascript: withImports, 'js/ts': withImports },
    settle: { mode: 'pull' },
    // The directory of a new file must exist, or imports of it do not resolve. A deletion event hides a file, but its
    // name still resolves to it instead of to the next candidate.
    believesUnsaved: { created: 'in-existing-directories', deleted: 'never', dependents: 'all' },
    reach: 'ecmascript',
    scoping: 'open-configuration',
    projects: 'typescript-api',
    // A file that a composite project does not list is reported at any import of it.
    misplaced: [6307],
    quirks: {
      readiness: 'immediate',
      takesChangesInOrder: true,
      takesImportsForDeclarations: true,
      keepsResolutionsOf: importsWithMode,
    },
    preference: 100,
  }),
  defineServer({
    name: 'typescript-language-server',
    // It loads the workspace's own tsserver.js, and plugins beside it.
    executes: 'workspace-code',
    languages,
    command: ['typescript-language-server', '--stdio'],
    installHint: 'npm i -g typescript-language-server typescript',
    rootMarkers,
    // It runs the tsserver of the workspace, and plugins that a tsconfig.json names.
    loadsWorkspaceModules: true,
    settle: bySynchronousCommands,
    reach: 'ecmascript',
    preference: 60,
  }),
  defineServer({
    name: 'vtsls',
    // It has its own tsserver, which loads plugins only from its own directory.
    executes: 'nothing',
    languages,
    command: ['vtsls', '--stdio'],
    installHint: 'npm i -g @vtsls/language-server',
    rootMarkers,
    loadsWorkspaceModules: true,
    settle: bySynchronousCommands,
    reach: 'ecmascript',
    quirks: { readiness: 'progress', sendsRanges: true },
  }),
];
