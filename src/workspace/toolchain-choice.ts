/**
 * Variables that prevent toolchain launchers from running a toolchain that a workspace names.
 *
 * rustup runs the programs in the directory of `path` in `rust-toolchain.toml`; Go downloads and runs the version of
 * a `toolchain` line.
 *
 * Invariant: a toolchain chosen here was installed by the user.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { directoryNames } from './directory-entries.ts';
import { defaultToolchain, readToolchainFile, rustupHome, toolchainFiles } from './rust-toolchain.ts';
import { type Extent, isSupplied } from './supplied-path.ts';

export function installedToolchains(env: Environment, extent: Extent): Readonly<Record<string, string>> {
  const rust = env.RUSTUP_TOOLCHAIN ?? rustToolchain(env, extent);
  return { GOTOOLCHAIN: 'local', ...(rust !== undefined && { RUSTUP_TOOLCHAIN: rust }) };
}

/** The channel of the workspace if it is installed, else the default; undefined without rustup. */
function rustToolchain(env: Environment, extent: Extent): string | undefined {
  const toolchains = join(rustupHome(env), 'toolchains');
  const installed = directoryNames(toolchains).filter((name) => !isSupplied(join(toolchains, name), extent));
  const files = extent.flatMap((directory) => toolchainFiles.map((name) => textOf(join(directory, name))));
  const channels = files.flatMap((text) => {
    const choice = readToolchainFile(text);
    return choice.kind === 'installed' ? [choice.name] : [];
  });
  const wanted = installed.find((name) =>
    channels.some((channel) => name === channel || name.startsWith(`${channel}-`)),
  );
  return wanted ?? defaultToolchain(env);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // A directory, a broken link or a missing file: nothing is chosen.
    return '';
  }
}
