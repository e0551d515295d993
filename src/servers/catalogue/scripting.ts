/** Servers for scripting languages. */
import type { ServerDefinition } from '../server-definition.ts';
import { defineServer } from './entry.ts';

export const scriptingServers: readonly ServerDefinition[] = [
  defineServer({
    name: 'solargraph',
    // .solargraph.yml names plugins, and the Gemfile is a Ruby program.
    executes: 'workspace-code',
    languages: ['ruby'],
    command: ['solargraph', 'stdio'],
    installHint: 'gem install solargraph',
    rootMarkers: ['Gemfile', '.git'],
  }),
  defineServer({
    name: 'intelephense',
    executes: 'nothing',
    languages: ['php'],
    command: ['intelephense', '--stdio'],
    installHint: 'npm i -g intelephense',
    rootMarkers: ['composer.json', '.git'],
  }),
  defineServer({
    name: 'lua-language-server',
    // .luarc.json names plugins, which are Lua programs.
    executes: 'workspace-code',
    languages: ['lua'],
    command: ['lua-language-server'],
    installHint: 'A release of https://github.com/LuaLS/lua-language-server',
    rootMarkers: ['.luarc.json', '.luarc.jsonc', '.git'],
  }),
  defineServer({
    name: 'bash-language-server',
    // shellcheck reads scripts and runs none.
    executes: 'nothing',
    languages: ['shellscript'],
    command: ['bash-language-server', 'start'],
    installHint: 'npm i -g bash-language-server',
    checker: {
      kind: 'program',
      name: 'shellcheck',
      installHint: 'apt install shellcheck, or brew install shellcheck',
    },
    settle: { mode: 'versioned-push' },
    quirks: { readiness: 'immediate' },
  }),
  defineServer({
    name: 'nil',
    // Flakes are evaluated by nix, which builds what an evaluation imports.
    executes: 'workspace-code',
    languages: ['nix'],
    command: ['nil'],
    installHint: 'nix profile install github:oxalica/nil',
    rootMarkers: ['flake.nix', '.git'],
  }),
];
