/** Servers for TypeScript and JavaScript; all of them also read JSX. */
import type { ServerDefinition, Settle } from '../server-definition.ts';
import { defineServer } from './entry.ts';

const languages = ['typescript', 'javascript'];
const rootMarkers = ['tsconfig.json', 'jsconfig.json', 'package.json', '.git'];

/** Publications of tsserver-based servers carry no version; its synchronous commands answer for the text sent before. */
const bySynchronousCommands: Settle = {
  mode: 'request',
  command: 'typescript.tsserverRequest',
  tsserverCommands: ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'],
};

/** Editors soften unused names and unreachable code to warnings; a verdict must say what the compiler says. */
const asTheCompiler = {
  reportStyleChecksAsWarnings: false,
  // It would have npm fetch types for libraries that have none: out onto the network, and to answers no compiler gives.
  disableAutomaticTypeAcquisition: true,
  tsserver: { automaticTypeAcquisition: { enabled: false } },
  // A caller that asks for hints wants them all; nobody else is bothered by them.
  inlayHints: {
    parameterNames: { enabled: 'all' },
    parameterTypes: { enabled: true },
    variableTypes: { enabled: true },
    propertyDeclarationTypes: { enabled: true },
    functionLikeReturnTypes: { enabled: true },
    enumMemberValues: { enabled: true },
  },
};

export const ecmascriptServers: readonly ServerDefinition[] = [
  defineServer({
    name: 'typescript-7',
    // The native compiler loads no plugins.
    executes: 'nothing',
    languages,
    embedded: 'typescript',
    command: ['tsc', '--lsp', '--stdio'],
    installHint:
      'It comes along with this package; reinstall with optional dependencies, which hold its binary.',
    rootMarkers,
    settings: { typescript: asTheCompiler, javascript: asTheCompiler, 'js/ts': asTheCompiler },
    settle: { mode: 'pull' },
    // A new file's directory has to be there, or imports of it do not resolve. A deletion event hides a file, but its
    // name still resolves to it instead of to the next candidate.
    believesUnsaved: { created: 'in-existing-directories', deleted: 'never', dependents: 'all' },
    reach: 'ecmascript',
    scoping: 'open-configuration',
    projects: 'typescript-api',
    quirks: { readiness: 'immediate', takesChangesInOrder: true, takesImportsForDeclarations: true },
    preference: 100,
  }),
  defineServer({
    name: 'typescript-language-server',
    // It loads the workspace's own tsserver.js, and plugins that lie beside that.
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
    // It brings its own tsserver, which loads plugins from beside itself alone.
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
