/**
 * The Rust toolchain for a workspace.
 *
 * Invariant: a workspace may choose an installed toolchain by name; it never supplies one. A file that names a
 * directory (`path = …`) or cannot be read is ignored in favour of the user's default.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import type { Environment } from '../base/environment.ts';
import { homeDirectory } from '../storage/user-directories.ts';

/** The toolchain files of rustup, in its order. */
export const toolchainFiles = ['rust-toolchain', 'rust-toolchain.toml'] as const;

/** The content of a toolchain file. */
export type ToolchainChoice =
  | { readonly kind: 'installed'; readonly name: string }
  /** It names a directory, or cannot be parsed. */
  | { readonly kind: 'refused' };

export function readToolchainFile(text: string): ToolchainChoice {
  const line = text.trim();
  // The legacy format contains only the name.
  if (!line.includes('\n') && toolchainName.test(line)) return { kind: 'installed', name: line };
  try {
    const { toolchain } = parse(text);
    if (typeof toolchain !== 'object' || toolchain === null || 'path' in toolchain) return refused;
    const channel: unknown = Reflect.get(toolchain, 'channel');
    return typeof channel === 'string' && toolchainName.test(channel)
      ? { kind: 'installed', name: channel }
      : refused;
  } catch {
    return refused;
  }
}

const refused: ToolchainChoice = { kind: 'refused' };

/** A name, never a path. */
const toolchainName = /^[A-Za-z0-9][\w.-]*$/;

/** The user's default toolchain; undefined without rustup. */
export function defaultToolchain(env: Environment): string | undefined {
  try {
    const text = readFileSync(join(rustupHome(env), 'settings.toml'), 'utf8');
    const name: unknown = parse(text).default_toolchain;
    return typeof name === 'string' && name !== '' ? name : undefined;
  } catch {
    // Without rustup there are no settings, and the variable is not used.
    return undefined;
  }
}

export function rustupHome(env: Environment): string {
  return env.RUSTUP_HOME || join(homeDirectory(env), '.rustup');
}

/** Directories in which distributions install the sources of the standard library, outside of rustup. */
const packagedLibraries = ['/usr/lib/rustlib/src/rust/library', '/usr/local/lib/rustlib/src/rust/library'];

/**
 * Sources of the standard library for a toolchain installed without `rust-src`. Without any, no name of the library
 * resolves, and every use of one is an error. Undefined if the toolchain has them, or none are installed.
 */
export function substituteLibrary(
  sysroot: string,
  packaged: readonly string[] = packagedLibraries,
): string | undefined {
  const holdsCore = (library: string): boolean => existsSync(join(library, 'core', 'src', 'lib.rs'));
  if (holdsCore(join(sysroot, 'lib', 'rustlib', 'src', 'rust', 'library'))) return undefined;
  return packaged.find(holdsCore);
}
