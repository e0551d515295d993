/**
 * Packages that `./...` leaves out by the name of a directory (`_examples`). They compile if they are named, and use the module
 * like any other package, so they are checked, and what is found there is reported with a doubt.
 *
 * Invariant: such a package that cannot be compiled here counts as left out of the build; it proves nothing and doubts nothing.
 */
import { libraryIn } from '../missing-library.ts';
import { type FileDiagnostics, isProved } from '../proof.ts';

/** Whether only a command that names the package compiles it. The path is relative to the module. */
export function isBesideBuilds(path: string): boolean {
  return directoriesOf(path).some((name) => /^[_.]/.test(name)) && !isIgnored(path);
}

/** Whether no package has the file: the go command passes over it, however it is called. */
export function isIgnored(path: string): boolean {
  return directoriesOf(path).includes('testdata') || /(?:^|\/)[_.][^/]*$/.test(path);
}

function directoriesOf(path: string): readonly string[] {
  return path.split('/').slice(0, -1);
}

/** The answer for a file of such a package. */
export function answerBesideBuilds(answer: FileDiagnostics): FileDiagnostics {
  const { path, proof, diagnostics, isUnowned } = answer;
  const isCompiled = isProved(proof) && diagnostics.every((each) => libraryIn('go', each) === undefined);
  if (isCompiled && !isUnowned) return { ...answer, isBesideBuilds: true };
  return { path, diagnostics: [], proof: { kind: 'checked' }, isUnowned: true, unownedBecause: unreached };
}

export const unreached = 'no package pattern reaches its directory';
