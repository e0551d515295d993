/** Servers for data, markup, queries and infrastructure descriptions. */
import type { ServerDefinition } from '../server-definition.ts';
import { defineServer, judgesFilesAlone } from './entry.ts';

/** The servers extracted from VS Code answer pulls, but only for open documents. */
const takenFromVsCode = {
  executes: 'nothing',
  installHint: 'npm i -g vscode-langservers-extracted',
  rootMarkers: ['package.json', '.git'],
  settle: { mode: 'pull' },
  believesUnsaved: judgesFilesAlone,
  quirks: { readiness: 'immediate', answersOpenFilesOnly: true },
} as const;

export const dataServers: readonly ServerDefinition[] = [
  defineServer({
    ...takenFromVsCode,
    name: 'vscode-json-language-server',
    languages: ['json'],
    command: ['vscode-json-language-server', '--stdio'],
    settings: { json: { validate: { enable: true } } },
  }),
  defineServer({
    ...takenFromVsCode,
    name: 'vscode-css-language-server',
    languages: ['css'],
    command: ['vscode-css-language-server', '--stdio'],
    settings: { css: { validate: true }, scss: { validate: true }, less: { validate: true } },
  }),
  defineServer({
    ...takenFromVsCode,
    name: 'vscode-html-language-server',
    languages: ['html'],
    command: ['vscode-html-language-server', '--stdio'],
    settings: { html: { validate: { scripts: true, styles: true } } },
    checker: { kind: 'none', blindTo: 'the elements, scripts and styles of a page' },
  }),
  defineServer({
    name: 'yaml-language-server',
    executes: 'nothing',
    languages: ['yaml'],
    command: ['yaml-language-server', '--stdio'],
    installHint: 'npm i -g yaml-language-server',
    believesUnsaved: judgesFilesAlone,
    quirks: { readiness: 'immediate' },
  }),
  defineServer({
    name: 'docker-langserver',
    executes: 'nothing',
    languages: ['dockerfile'],
    command: ['docker-langserver', '--stdio'],
    installHint: 'npm i -g dockerfile-language-server-nodejs',
    believesUnsaved: judgesFilesAlone,
    quirks: { readiness: 'immediate', passesOverSameText: true },
  }),
  defineServer({
    name: 'terraform-ls',
    // It requests the schemas of the providers below `.terraform` by running them.
    executes: 'workspace-code',
    languages: ['terraform'],
    command: ['terraform-ls', 'serve'],
    installHint: 'A release of https://releases.hashicorp.com/terraform-ls',
    rootMarkers: ['.terraform.lock.hcl', '.terraform', '.git'],
  }),
  defineServer({
    name: 'prisma-language-server',
    executes: 'nothing',
    languages: ['prisma'],
    command: ['prisma-language-server', '--stdio'],
    installHint: 'npm i -g @prisma/language-server',
    rootMarkers: ['package.json', '.git'],
  }),
  defineServer({
    name: 'sqls',
    executes: 'nothing',
    languages: ['sql'],
    command: ['sqls'],
    installHint: 'go install github.com/sqls-server/sqls@latest',
    rootMarkers: ['.sqls.yml', '.git'],
    believesUnsaved: judgesFilesAlone,
  }),
  defineServer({
    name: 'mongodb-language-server',
    executes: 'nothing',
    languages: ['mongodb'],
    command: ['mongodb-language-server', '--stdio'],
    installHint: 'npm i -g @mongodb-js/mongodb-language-server',
    believesUnsaved: judgesFilesAlone,
  }),
  defineServer({
    name: 'cmake-language-server',
    // It configures the project, during which CMakeLists.txt can run any command.
    executes: 'workspace-code',
    languages: ['cmake'],
    command: ['cmake-language-server'],
    installHint: 'pip install cmake-language-server',
    rootMarkers: ['CMakeLists.txt', '.git'],
  }),
];
