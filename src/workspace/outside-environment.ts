/**
 * The environment of a program that works on an untrusted workspace.
 *
 * Invariant: no variable leads the program to a file of the workspace, and toolchain launchers run what the user has
 * installed. Variables with absolute paths elsewhere belong to the user and are kept.
 */
import { delimiter, isAbsolute } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { directoriesOutside, type Extent, isSupplied } from './supplied-path.ts';
import { installedToolchains } from './toolchain-choice.ts';

export function environmentOutside(env: Environment, extent: Extent): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    const outside = outsideValue(name, value, extent);
    if (outside !== undefined) kept[name] = outside;
  }
  return { ...kept, ...installedToolchains(kept, extent) };
}

/** Search paths for programs, modules or libraries; an empty entry is the working directory. */
const searchPaths =
  /^(PATH|Path|NODE_PATH|PYTHONPATH|LD_LIBRARY_PATH|DYLD_.*PATH|PERL5LIB|PERLLIB|RUBYLIB|CLASSPATH|LUA_C?PATH.*|GOPATH|GEM_PATH|XDG_DATA_DIRS|XDG_CONFIG_DIRS)$/;

/** Directories of the user and the system, in which programs keep their own files. */
const ownPlaces = /^(HOME|USERPROFILE|PWD|TMPDIR|TMP|TEMP|XDG_RUNTIME_DIR)$/;

/** Programs or options that load code; a bare module name is resolved from the working directory. */
const loaders: Readonly<Record<string, RegExp>> = {
  NODE_OPTIONS:
    /(^|\s)(-r|--require|--import|--loader|--experimental-loader)(\s+|=)(?!["']?(\/|[A-Za-z]:|file:))/,
  RUBYOPT: /(^|\s)-r(?!\/)/,
  PERL5OPT: /(^|\s)-[Mm]/,
  LD_PRELOAD: /(^|[\s:])(?!\/)[^\s:]/,
};

function outsideValue(name: string, value: string, extent: Extent): string | undefined {
  if (ownPlaces.test(name)) return value;
  if (searchPaths.test(name)) {
    const directories = directoriesOutside(value, extent);
    return directories === '' && value !== '' ? undefined : directories;
  }
  if (loaders[name]?.test(value)) return undefined;
  return mentionsSupplied(value, extent) ? undefined : value;
}

/** Whether a word of the value is a path into the workspace, or relative to the working directory. */
function mentionsSupplied(value: string, extent: Extent): boolean {
  const words = new Set([value, ...value.split(new RegExp(`[\\s"'=,;@${delimiter}]+`))]);
  return [...words].some((word) =>
    isAbsolute(word) ? isSupplied(word, extent) : /^\.{1,2}([\\/]|$)/.test(word),
  );
}
