/** Servers for languages that run on a virtual machine. */
import type { ServerDefinition } from '../server-definition.ts';
import { defineServer } from './entry.ts';

export const managedServers: readonly ServerDefinition[] = [
  defineServer({
    name: 'jdtls',
    languages: ['java'],
    command: ['jdtls'],
    installHint: 'Eclipse JDT language server: https://download.eclipse.org/jdtls/snapshots',
    rootMarkers: ['pom.xml', 'build.gradle', 'build.gradle.kts', 'settings.gradle', '.git'],
    initializationOptions: {
      settings: {
        java: {
          import: { maven: { enabled: true }, gradle: { enabled: true } },
          autobuild: { enabled: true },
        },
      },
      extendedClientCapabilities: { progressReportProvider: true, classFileContentsSupport: true },
    },
    settings: { java: { autobuild: { enabled: true } } },
    quirks: { readiness: 'progress', sendsConfigurationAfterStart: true },
  }),
  defineServer({
    name: 'kotlin-language-server',
    languages: ['kotlin'],
    command: ['kotlin-language-server'],
    installHint: 'A release of https://github.com/fwcd/kotlin-language-server',
    rootMarkers: ['settings.gradle.kts', 'build.gradle.kts', 'pom.xml', '.git'],
  }),
  defineServer({
    name: 'metals',
    languages: ['scala'],
    command: ['metals'],
    installHint: 'cs install metals',
    rootMarkers: ['build.sbt', 'build.sc', '.git'],
  }),
  defineServer({
    name: 'csharp-ls',
    languages: ['csharp'],
    command: ['csharp-ls'],
    installHint: 'dotnet tool install -g csharp-ls',
  }),
  defineServer({
    name: 'clojure-lsp',
    languages: ['clojure'],
    command: ['clojure-lsp'],
    installHint: 'A release of https://github.com/clojure-lsp/clojure-lsp',
    rootMarkers: ['deps.edn', 'project.clj', 'bb.edn', '.git'],
  }),
  defineServer({
    name: 'elixir-ls',
    languages: ['elixir'],
    command: ['elixir-ls'],
    installHint: 'A release of https://github.com/elixir-lsp/elixir-ls',
    rootMarkers: ['mix.exs', '.git'],
  }),
  defineServer({
    name: 'gleam',
    languages: ['gleam'],
    command: ['gleam', 'lsp'],
    installHint: 'It is part of the compiler: https://github.com/gleam-lang/gleam/releases',
    rootMarkers: ['gleam.toml', '.git'],
  }),
  defineServer({
    name: 'dart',
    languages: ['dart'],
    command: ['dart', 'language-server', '--client-id=forerun'],
    installHint: 'It is part of the Dart SDK: https://dart.dev/get-dart',
    rootMarkers: ['pubspec.yaml', '.git'],
  }),
];
