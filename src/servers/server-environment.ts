/**
 * The environment variables of a server and its compiler, and the directories of our cache that they may write.
 *
 * Invariant: files written by a confined program are never executed by an unconfined one, and files compiled for a
 * change are never used for the disk: each has a directory of its own, per workspace and per trust.
 */

import { basename, join, parse } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { Failure } from '../base/failure.ts';
import { neverAborts } from '../base/never-aborts.ts';
import type { WorkspaceFolder } from '../lsp/server-options.ts';
import { type CommandOptions, runCommand } from '../process/run-command.ts';
import { cacheDirectory, makePrivateDirectory } from '../storage/user-directories.ts';
import { workspaceKey } from '../storage/workspace-key.ts';
import type { DiskState } from '../workspace/disk-state.ts';
import { environmentOutside } from '../workspace/outside-environment.ts';
import {
  defaultToolchain,
  readToolchainFile,
  substituteLibrary,
  toolchainFiles,
} from '../workspace/rust-toolchain.ts';
import { extentOf } from '../workspace/supplied-path.ts';
import type { Trust } from '../workspace/trust.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { addedSettings } from './added-settings.ts';
import type { OverlayEffect, ProjectionMode } from './projection.ts';
import type { CargoCheck, ServerDefinition } from './server-definition.ts';

export interface EnvironmentRequest {
  readonly definition: ServerDefinition;
  readonly workspace: Workspace;
  readonly disk: DiskState;
  /** Configuration that a mount must contain before the server starts. */
  readonly startupConfig?: OverlayEffect;
  /** Folders the server works on besides the workspace itself. */
  readonly folders: readonly WorkspaceFolder[];
  /** Whether programs that the workspace, or a folder added to it, supplies may run. */
  readonly trust: Trust;
  readonly env: Environment;
}

export interface ServerEnvironment {
  /** The part of our own environment that may be passed on. */
  readonly inherited: Environment;
  /** Variables added to it. */
  readonly variables: Readonly<Record<string, string>>;
  /** Existing directories of our cache. */
  readonly writable: readonly string[];
}

export async function serverEnvironment(
  request: EnvironmentRequest,
  { mode, confinement }: { readonly mode: ProjectionMode; readonly confinement: 'confined' | 'open' },
): Promise<ServerEnvironment> {
  const { definition, workspace, trust, env } = request;
  const use = confinement === 'open' ? 'open' : `confined-${trust}`;
  const shown = mode === 'buffers' ? 'disk' : 'shown';
  const identity = `${basename(workspace.root)}-${workspaceKey(workspace.root)}`;
  const directories = Object.entries(definition.cacheDirectories ?? {}).map(
    ([name, directory]) => [name, join(cacheDirectory(env), directory, identity, `${use}-${shown}`)] as const,
  );
  for (const [, directory] of directories) makePrivateDirectory(directory);
  const inherited = inheritedBy(request);
  return {
    inherited,
    variables: {
      ...unset(definition.defaultEnv, inherited),
      ...definition.env,
      ...(confinement === 'confined' && definition.confinedEnv),
      ...(await rustVariables(request)),
      ...(await addedSettings(definition, { env, inherited })),
      ...Object.fromEntries(directories),
    },
    writable: [...new Set(directories.map(([, directory]) => directory))],
  };
}

function unset(defaults: Readonly<Record<string, string>> = {}, given: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => given[name] === undefined));
}

/** In an untrusted workspace no inherited variable leads to the workspace's files. */
export function inheritedBy({
  workspace,
  folders,
  trust,
  env,
}: Pick<EnvironmentRequest, 'workspace' | 'folders' | 'trust' | 'env'>): NodeJS.ProcessEnv {
  if (trust === 'trusted') return { ...env };
  const roots = [workspace.root, ...folders.map(({ name }) => name)];
  return environmentOutside(
    env,
    roots.flatMap((root) => extentOf(root, env)),
  );
}

/**
 * The build directory of a compiler. For a trusted workspace it contains the existing artifacts, which a mount shows
 * copy-on-write and a change cannot touch. Artifacts of an untrusted workspace could claim that code was checked that
 * never was, so it starts empty.
 */
export function checkEnvironment(
  { buildDirectory }: CargoCheck,
  { root, trust }: { readonly root: string; readonly trust: Trust },
): Readonly<Record<string, string>> {
  const { name, variables } = buildDirectory;
  const directory = trust === 'trusted' ? join(root, name) : `/tmp/forerun-${name}`;
  return Object.fromEntries(variables.map((variable) => [variable, directory]));
}

async function rustVariables(request: EnvironmentRequest): Promise<Readonly<Record<string, string>>> {
  if (request.definition.toolchainChooser !== 'rustup') return {};
  const toolchain = await toolchainVariables(request);
  return { ...toolchain, ...(await libraryVariables(request, toolchain)) };
}

/** The sysroot comes from the compiler that the server uses; both are outside an untrusted workspace. */
async function libraryVariables(
  request: EnvironmentRequest,
  toolchain: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const { definition, env } = request;
  if (env.RUST_SRC_PATH) return { RUST_SRC_PATH: env.RUST_SRC_PATH };
  const command = [definition.env?.RUSTC ?? 'rustc', '--print', 'sysroot'];
  const limits = { timeoutMs: sysrootTimeoutMs, maxOutputBytes: 65_536 };
  const inherited = { ...inheritedBy(request), ...definition.env, ...toolchain, RUSTUP_AUTO_INSTALL: '0' };
  // rustup searches for a toolchain file from here upwards, so other users must not be able to write there.
  const cwd = parse(process.execPath).root;
  const sysroot = await sysrootOf({ command, cwd, env: inherited, ...limits });
  const library = sysroot === undefined ? undefined : substituteLibrary(sysroot);
  return library === undefined ? {} : { RUST_SRC_PATH: library };
}

const sysrootTimeoutMs = 5000;

/** Undefined if there is no compiler; the server reports that itself. */
async function sysrootOf(command: CommandOptions): Promise<string | undefined> {
  try {
    const { code, stdout } = await runCommand(command, neverAborts());
    return code === 0 ? stdout.trim() : undefined;
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined;
    throw thrown;
  }
}

async function toolchainVariables(request: EnvironmentRequest): Promise<Readonly<Record<string, string>>> {
  const { workspace, disk, startupConfig, env } = request;
  if (env.RUSTUP_TOOLCHAIN) return { RUSTUP_TOOLCHAIN: env.RUSTUP_TOOLCHAIN };
  for (const file of toolchainFiles) {
    const path = workspace.path(file);
    const shown = startupConfig?.get(path);
    if (shown === 'removed' || (shown === undefined && !disk.exists(path))) continue;
    const text = shown === undefined ? await disk.text(path) : shown.kind === 'text' ? shown.text : '';
    const choice = readToolchainFile(text ?? '');
    const name = choice.kind === 'installed' ? choice.name : (defaultToolchain(env) ?? 'stable');
    return { RUSTUP_TOOLCHAIN: name };
  }
  return {};
}
