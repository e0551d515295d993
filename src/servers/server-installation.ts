/**
 * The directories that the files of a server lie in, so that it can be run where nothing else of the machine is shown.
 *
 * Invariant: derived from the argument vector alone, which a workspace does not choose; never the root directory.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute } from 'node:path';

export function installationsOf(command: readonly string[]): readonly string[] {
  const files = command.filter((word) => isAbsolute(word)).flatMap(realFiles);
  return [...new Set(files.map(installationOf))].filter((directory) => directory !== '/');
}

/** As it is spelled, and where its links lead. */
function realFiles(path: string): readonly string[] {
  try {
    return [path, realpathSync(path)];
  } catch {
    return [];
  }
}

export function installationOf(file: string): string {
  const modules = file.indexOf('/node_modules/');
  // Packages load one another from the outermost directory of their kind.
  if (modules >= 0) return file.slice(0, modules + '/node_modules'.length);
  const directory = dirname(file);
  return basename(directory) === 'bin' ? dirname(directory) : directory;
}
