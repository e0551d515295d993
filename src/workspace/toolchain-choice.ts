/**
 * Variables that keep launchers of toolchains from running one that a workspace names.
 *
 * rustup runs the programs of the directory that `path` in `rust-toolchain.toml` names; Go fetches and runs the version
 * of a `toolchain` line.
 *
 * Invariant: a toolchain chosen here was installed by the user.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, homeDirectory } from '../storage/user-directories.ts';
import { isUnreadable } from './errno.ts';
import { type Extent, isSupplied } from './supplied-path.ts';

export function installedToolchains(env: Environment, extent: Extent): Readonly<Record<string, string>> {
  const rust = env.RUSTUP_TOOLCHAIN ?? rustToolchain(env, extent);
  return { GOTOOLCHAIN: 'local', ...(rust !== undefined && { RUSTUP_TOOLCHAIN: rust }) };
}

/** The channel the workspace asks for where it is installed, else the default; undefined without rustup. */
function rustToolchain(env: Environment, extent: Extent): string | undefined {
  const home = env.RUSTUP_HOME ?? join(homeDirectory(env), '.rustup');
  const installed = namesIn(join(home, 'toolchains')).filter(
    (name) => !isSupplied(join(home, 'toolchains', name), extent),
  );
  const channels = extent.flatMap(channelsOf);
  const wanted = installed.find((name) =>
    channels.some((channel) => name === channel || name.startsWith(`${channel}-`)),
  );
  return wanted ?? /^default_toolchain\s*=\s*"([^"]+)"/m.exec(textOf(join(home, 'settings.toml')))?.[1];
}

function channelsOf(directory: string): readonly string[] {
  const texts = ['rust-toolchain.toml', 'rust-toolchain'].map((name) => textOf(join(directory, name)));
  return texts.flatMap((text) => {
    const named = /^\s*channel\s*=\s*["']([\w.-]+)["']/m.exec(text)?.[1];
    // The older form of the file is the name of a channel and nothing else.
    return named ?? /^[\w.-]+$/.exec(text.trim())?.[0] ?? [];
  });
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort();
  } catch (thrown) {
    if (isUnreadable(thrown)) return [];
    throw thrown;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // A directory, a broken link or no such file: nothing is chosen.
    return '';
  }
}
