/** Servers for languages that run on a virtual machine. */
import type { ServerDefinition } from '../server-definition.ts';
import { defineServer } from './entry.ts';

export const managedServers: readonly ServerDefinition[] = [
  defineServer({
    name: 'jdtls',
    // Gradle and Maven builds are imported by running them; annotation processors run in the compiler.
    executes: 'workspace-code',
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
    // It runs Gradle and Maven for the classpath, or a script of that name in the workspace.
    executes: 'workspace-code',
    languages: ['kotlin'],
    command: ['kotlin-language-server'],
    installHint: 'A release of https://github.com/fwcd/kotlin-language-server',
    rootMarkers: ['settings.gradle.kts', 'build.gradle.kts', 'pom.xml', '.git'],
  }),
  defineServer({
    name: 'metals',
    // The build is imported by running sbt, Mill or Gradle; macros run in the compiler.
    executes: 'workspace-code',
    languages: ['scala'],
    command: ['metals'],
    installHint: 'cs install metals',
    rootMarkers: ['build.sbt', 'build.sc', '.git'],
  }),
  defineServer({
    name: 'csharp-ls',
    // MSBuild targets run on loading; analyzers and source generators run in the compiler.
    executes: 'workspace-code',
    languages: ['csharp'],
    command: ['csharp-ls'],
    installHint: 'dotnet tool install -g csharp-ls',
  }),
  defineServer({
    name: 'clojure-lsp',
    // The classpath comes from running clojure or lein on the project.
    executes: 'workspace-code',
    languages: ['clojure'],
    command: ['clojure-lsp'],
    installHint: 'A release of https://github.com/clojure-lsp/clojure-lsp',
    rootMarkers: ['deps.edn', 'project.clj', 'bb.edn', '.git'],
  }),
  defineServer({
    name: 'elixir-ls',
    // mix.exs and macros are Elixir programs that are run to compile the project.
    executes: 'workspace-code',
    languages: ['elixir'],
    command: ['elixir-ls'],
    installHint: 'A release of https://github.com/elixir-lsp/elixir-ls',
    rootMarkers: ['mix.exs', '.git'],
  }),
  defineServer({
    name: 'gleam',
    // Gleam itself runs nothing, but dependencies are built by rebar3 and mix.
    executes: 'workspace-code',
    languages: ['gleam'],
    command: ['gleam', 'lsp'],
    installHint: 'It is part of the compiler: https://github.com/gleam-lang/gleam/releases',
    rootMarkers: ['gleam.toml', '.git'],
  }),
  defineServer({
    name: 'dart',
    // analysis_options.yaml names plugins, which are run.
    executes: 'workspace-code',
    languages: ['dart'],
    command: ['dart', 'language-server', '--client-id=forerun'],
    installHint: 'It is part of the Dart SDK: https://dart.dev/get-dart',
    rootMarkers: ['pubspec.yaml', '.git'],
  }),
];
