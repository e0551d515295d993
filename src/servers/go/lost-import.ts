/**
 * Imports of packages that cannot be found. Of several importers the go command names the first one it meets, which may
 * be a package of a library.
 *
 * Invariant: an import is placed only in a file whose text holds it.
 */
import { scanGo } from '../../graph/reach/scan/go-scan.ts';

/** A package that cannot be found, if the command names no importer in the workspace. */
export interface LostPackage {
  readonly specifier: string;
  readonly message: string;
  /** The files of a package that did not compile for it. */
  readonly files: readonly string[];
}

/** The package that an error of the go command says is missing. */
export function lostPackageIn(message: string): string | undefined {
  const [, required, found] =
    /^no required module provides package (\S+?);|^cannot find module providing package ([^\s:]+)/.exec(
      message,
    ) ?? [];
  return required ?? found;
}

/** Where a text imports a package, from one and in bytes, as the command counts. */
export function importIn(
  text: string,
  specifier: string,
): { readonly line: number; readonly column: number } | undefined {
  if (!scanGo(text).specifiers.includes(specifier)) return undefined;
  for (const [at, line] of text.split('\n').entries()) {
    const before = line.split(`"${specifier}"`)[0] ?? '';
    const isImport = before !== line && /^\s*(?:import\s+)?(?:[^\s"]+\s+)?$/.test(before);
    if (isImport) return { line: at + 1, column: Buffer.byteLength(before) + 1 };
  }
  return undefined;
}
