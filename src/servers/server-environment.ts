/**
 * What a server and its compiler find in their environment besides what they inherit, and which directories of our cache
 * they may write.
 *
 * Invariant: what a confined program wrote is never run by one that is not confined, and what was compiled for a change is
 * never taken for the disk's: each has a directory of its own, per workspace and per trust.
 */
import { basename, join } from 'node:path';
import type { WorkspaceFolder } from '../lsp/server-options.ts';
import { sha256 } from '../storage/hash.ts';
import { cacheDirectory, type Environment, makePrivateDirectory } from '../storage/user-directories.ts';
import type { DiskState } from '../workspace/disk-state.ts';
import { environmentOutside } from '../workspace/outside-environment.ts';
import { defaultToolchain, readToolchainFile, toolchainFiles } from '../workspace/rust-toolchain.ts';
import { extentOf } from '../workspace/supplied-path.ts';
import type { Trust } from '../workspace/trust.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { OverlayEffect } from './overlay-effect.ts';
import type { CargoCheck, ServerDefinition } from './server-definition.ts';
import type { Way } from './way.ts';

export interface EnvironmentRequest {
  readonly definition: ServerDefinition;
  readonly workspace: Workspace;
  readonly disk: DiskState;
  /** What a mount must show before the server starts in it. */
  readonly terms?: OverlayEffect;
  /** Folders the server works on besides the workspace itself. */
  readonly folders: readonly WorkspaceFolder[];
  /** Whether programs that the workspace, or a folder added to it, supplies may run. */
  readonly trust: Trust;
  readonly env: Environment;
}

export interface ServerEnvironment {
  /** What of our own environment may be passed on. */
  readonly inherited: Environment;
  /** Added to that. */
  readonly variables: Readonly<Record<string, string>>;
  /** Directories of our cache, which exist. */
  readonly writable: readonly string[];
}

export async function serverEnvironment(
  request: EnvironmentRequest,
  { way, confinement }: { readonly way: Way; readonly confinement: 'confined' | 'open' },
): Promise<ServerEnvironment> {
  const { definition, workspace, trust, env } = request;
  const use = confinement === 'open' ? 'open' : `confined-${trust}`;
  const shown = way === 'buffers' ? 'disk' : 'shown';
  const identity = `${basename(workspace.root)}-${sha256(workspace.root).slice(0, 16)}`;
  const directories = Object.entries(definition.cacheDirectories ?? {}).map(
    ([name, directory]) => [name, join(cacheDirectory(env), directory, identity, `${use}-${shown}`)] as const,
  );
  for (const [, directory] of directories) makePrivateDirectory(directory);
  return {
    inherited: inheritedBy(request),
    variables: {
      ...definition.env,
      ...(confinement === 'confined' && definition.confinedEnv),
      ...(await toolchainVariables(request)),
      ...Object.fromEntries(directories),
    },
    writable: [...new Set(directories.map(([, directory]) => directory))],
  };
}

/** In an untrusted workspace nothing that a server inherits leads to the workspace's files. */
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
 * Where a compiler builds: over the artifacts of a trusted workspace, which a mount shows copy-on-write and a change cannot
 * touch. Those of an untrusted one could claim that code was checked which never was, so it starts from nothing.
 */
export function checkEnvironment(
  { buildDirectory }: CargoCheck,
  { root, trust }: { readonly root: string; readonly trust: Trust },
): Readonly<Record<string, string>> {
  const { name, variables } = buildDirectory;
  const directory = trust === 'trusted' ? join(root, name) : `/tmp/forerun-${name}`;
  return Object.fromEntries(variables.map((variable) => [variable, directory]));
}

async function toolchainVariables(request: EnvironmentRequest): Promise<Readonly<Record<string, string>>> {
  const { definition, workspace, disk, terms, env } = request;
  if (definition.toolchainChooser !== 'rustup') return {};
  if (env.RUSTUP_TOOLCHAIN) return { RUSTUP_TOOLCHAIN: env.RUSTUP_TOOLCHAIN };
  for (const file of toolchainFiles) {
    const path = workspace.path(file);
    const shown = terms?.get(path);
    if (shown === 'removed' || (shown === undefined && !disk.exists(path))) continue;
    const text = shown === undefined ? await disk.text(path) : shown.kind === 'text' ? shown.text : '';
    const choice = readToolchainFile(text ?? '');
    const name = choice.kind === 'installed' ? choice.name : (defaultToolchain(env) ?? 'stable');
    return { RUSTUP_TOOLCHAIN: name };
  }
  return {};
}
