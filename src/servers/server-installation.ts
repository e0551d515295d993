/**
 * The directories that contain the files of a server, so that it can run where the rest of the machine is hidden.
 *
 * Invariant: derived from the argument vector alone, which a workspace does not choose; never the root directory.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute } from 'node:path';

export function installationsOf(command: readonly string[]): readonly string[] {
  const files = command.filter((word) => isAbsolute(word)).flatMap(realFiles);
  return [...new Set(files.map(installationOf))].filter((directory) => directory !== '/');
}

/** The path itself and its real path. */
function realFiles(path: string): readonly string[] {
  try {
    return [path, realpathSync(path)];
  } catch {
    return [];
  }
}

export function installationOf(file: string): string {
  const modules = file.indexOf('/node_modules/');
  // Packages load one another from the outermost `node_modules`.
  if (modules >= 0) return file.slice(0, modules + '/node_modules'.length);
  const directory = dirname(file);
  return basename(directory) === 'bin' ? dirname(directory) : directory;
}
