/** Servers for languages that compile to machine code. */
import type { ServerDefinition } from '../server-definition.ts';
import { defineServer } from './entry.ts';

/** Distributions install clangd under the name of its version. */
const clangdVersions = [22, 21, 20, 19, 18, 17, 16, 15, 14].map((version) => `clangd-${version}`);

/** It is pulled, so publications would only compete with the responses; they are delayed indefinitely. */
const goplsOptions = {
  pullDiagnostics: true,
  diagnosticsTrigger: 'Save',
  diagnosticsDelay: '1h',
  semanticTokens: true,
  hints: {
    assignVariableTypes: true,
    compositeLiteralFields: true,
    constantValues: true,
    functionTypeParameters: true,
    parameterNames: true,
    rangeVariableTypes: true,
  },
};

export const nativeServers: readonly ServerDefinition[] = [
  defineServer({
    name: 'gopls',
    // The go command runs no code of the modules it lists, and passes on only C flags from its own allow list.
    executes: 'nothing',
    languages: ['go'],
    command: ['gopls'],
    installHint: 'go install golang.org/x/tools/gopls@latest',
    rootMarkers: ['go.work', 'go.mod', '.git'],
    initializationOptions: goplsOptions,
    settings: { gopls: goplsOptions },
    settle: { mode: 'pull' },
    // It uses a file that was never saved, but if the first request is about a test file among these, it finds no
    // plain package.
    believesUnsaved: { created: 'nowhere', deleted: 'never', dependents: 'all' },
    // Compiles every package and test into the build cache, and links nothing. No version control program is run.
    fullCheck: {
      command: [
        ...['go', 'list', '-e', '-export', '-test', '-buildvcs=false', '-gcflags=./...=-e'],
        '-json=Dir,ImportPath,Name,ForTest,GoFiles,CgoFiles,IgnoredGoFiles,InvalidGoFiles,Error,DepsErrors',
      ],
      output: 'go-list',
      speaks: 'where-mounted',
    },
    buildConstraints: 'go',
    stopsAt: ['syntax', 'go list'],
    reach: 'go',
    quirks: {
      readiness: 'progress',
      findsUsesEverywhere: true,
      takesChangesInOrder: true,
      // It does not recover packages that were part of an import cycle, and answers for a module it has not loaded.
      lostSigns: ['missing metadata for import of', 'is not included in a workspace module'],
    },
    preference: 100,
  }),
  defineServer({
    name: 'rust-analyzer',
    // Build scripts and procedural macros are run; .cargo/config.toml names wrappers and linkers.
    executes: 'workspace-code',
    languages: ['rust'],
    command: ['rust-analyzer'],
    probe: ['--version'],
    installHint: 'rustup component add rust-analyzer',
    rootMarkers: ['Cargo.toml', 'rust-project.json', '.git'],
    initializationOptions: {
      // Its own `cargo check` reads saved files, and writes a lock file into a workspace that has none.
      checkOnSave: false,
      diagnostics: { experimental: { enable: true } },
      // To index every crate is most of what a start costs; a verdict asks for a few of them.
      cachePriming: { enable: false },
    },
    // A change must not choose the compiler that judges it, so these settings of .cargo/config.toml are overridden.
    env: { RUSTC: 'rustc', RUSTC_WRAPPER: '', RUSTC_WORKSPACE_WRAPPER: '' },
    // There is no network; cargo reports missing packages earlier if it knows that.
    confinedEnv: { CARGO_NET_OFFLINE: 'true', RUSTUP_AUTO_INSTALL: '0' },
    // Its build output does not belong in the workspace.
    cacheDirectories: { CARGO_TARGET_DIR: 'cargo-target', CARGO_BUILD_BUILD_DIR: 'cargo-target' },
    toolchainChooser: 'rustup',
    settle: { mode: 'pull' },
    // It uses a file that was never saved, but continues to do so after it was closed.
    believesUnsaved: { created: 'nowhere', deleted: 'never', dependents: 'all' },
    fullCheck: {
      command: ['cargo', 'check', '--message-format=json', '--all-targets', '--verbose'],
      output: 'cargo-json',
      speaks: 'in-workspace-scope',
      buildDirectory: { name: 'target', variables: ['CARGO_TARGET_DIR', 'CARGO_BUILD_BUILD_DIR'] },
    },
    reach: 'crate',
    quirks: {
      readiness: 'quiescent',
      experimental: { serverStatusNotification: true },
      findsUsesEverywhere: true,
    },
    preference: 100,
  }),
  defineServer({
    name: 'clangd',
    // Compilers named in compile_commands.json are run only if `--query-driver` allows them.
    executes: 'nothing',
    languages: ['c', 'cpp'],
    command: ['clangd'],
    binaryNames: clangdVersions,
    installHint: 'apt install clangd, or brew install llvm',
    rootMarkers: ['compile_commands.json', 'compile_flags.txt', '.clangd', 'CMakeLists.txt', '.git'],
    // By default it stops at 20 errors in a file.
    addedSettings: {
      variable: 'XDG_CONFIG_HOME',
      file: 'clangd/config.yaml',
      text: 'CompileFlags:\n  Add: [-ferror-limit=0]\n',
    },
    settle: { mode: 'versioned-push' },
    believesUnsaved: { created: 'nowhere', deleted: 'never', dependents: 'translation-units' },
    compilation: 'database',
    reach: 'c',
    quirks: {
      readiness: 'immediate',
      didChangeExtras: { wantDiagnostics: true },
      // It detects a changed header only by its size and its modification time in seconds.
      touchExtras: { forceRebuild: true },
      keepsPreambles: true,
      // Where the settings above are not read.
      cutCode: 'fatal_too_many_errors',
    },
    preference: 100,
  }),
  defineServer({
    name: 'zls',
    // build.zig is a program that is run to find the packages.
    executes: 'workspace-code',
    languages: ['zig'],
    command: ['zls'],
    installHint: 'A release of zls that matches the version of Zig: https://github.com/zigtools/zls/releases',
    rootMarkers: ['build.zig', '.git'],
  }),
  defineServer({
    name: 'sourcekit-lsp',
    // Package.swift is a program that is run to find the packages; macros are compiled and run.
    executes: 'workspace-code',
    languages: ['swift'],
    command: ['sourcekit-lsp'],
    installHint: 'It is part of Xcode and of the Swift toolchain: https://www.swift.org/install',
    rootMarkers: ['Package.swift', '.git'],
  }),
  defineServer({
    name: 'haskell-language-server',
    // Template Haskell, Setup.hs and the programs that hie.yaml names are run.
    executes: 'workspace-code',
    languages: ['haskell'],
    command: ['haskell-language-server-wrapper', '--lsp'],
    installHint: 'ghcup install hls',
    rootMarkers: ['hie.yaml', 'cabal.project', 'stack.yaml', 'package.yaml', '.git'],
  }),
  defineServer({
    name: 'ocamllsp',
    // dune rules and preprocessors are run.
    executes: 'workspace-code',
    languages: ['ocaml'],
    command: ['ocamllsp'],
    installHint: 'opam install ocaml-lsp-server',
    rootMarkers: ['dune-project', 'dune-workspace', '.git'],
  }),
];
