/**
 * Which edits of a Go file the compiler must judge, because the language server would miss something: it does not
 * notice a function without a body, a test with a wrong signature or a directive on a declaration that may not have it,
 * does not recover from an import cycle, and checks a file that has left the build.
 *
 * Invariant: in doubt the compiler is chosen, which is exact and slower.
 */
import { scanGo } from '../../graph/reach/scan/go-scan.ts';

export function needsCompiler(before: string, after: string): boolean {
  if (clauses(before) !== clauses(after) || directed(before) !== directed(after)) return true;
  const known = new Set(scanGo(before).specifiers);
  if (scanGo(after).specifiers.some((path) => !known.has(path) && !isStandard(path))) return true;
  const bodies = new Set(openHeads(before));
  if (openHeads(after).some((head) => !bodies.has(head))) return true;
  const uncallable = new Set(uncallableTests(before));
  if (uncallableTests(after).some((head) => !uncallable.has(head))) return true;
  return mainPattern.test(before) && !mainPattern.test(after);
}

/**
 * Heads of functions named like a test that do not clearly have its one parameter. The program that runs the tests is
 * generated, and the build refuses to generate it for them; the language accepts them.
 */
function uncallableTests(text: string): readonly string[] {
  const heads = text.match(/^func\s+(?:Test|Benchmark|Fuzz)[^{]*/gm) ?? [];
  return heads.filter((head) => !callableTest.test(head));
}

const callableTest =
  /^func (?:Test\w*\((?:\w+ )?\*testing\.T|Benchmark\w*\((?:\w+ )?\*testing\.B|Fuzz\w*\((?:\w+ )?\*testing\.F|TestMain\((?:\w+ )?\*testing\.M)\) $/;

/** The package clause and everything the toolchain reads. */
function clauses(text: string): string {
  return (text.match(/^(?:package\s.*|\/\/\s*(?:go:|\+build|line|export\s|#).*|import "C".*)$/gm) ?? []).join(
    '\n',
  );
}

/** Directives that rule which declaration may follow, each with it, and the packages that they need. */
function directed(text: string): string {
  if (!/\/\/go:(?:embed|linkname)\b/.test(text)) return '';
  const needed = scanGo(text).specifiers.filter((path) => path === 'embed' || path === 'unsafe');
  const declared = text.match(/^[ \t]*\/\/go:(?:embed|linkname)\b.*(?:\n[ \t]*\/\/.*)*\n.*$/gm) ?? [];
  return [...needed, ...declared].join('\n');
}

/** Heads of functions whose line opens no body. */
function openHeads(text: string): readonly string[] {
  return text.match(/^func\b[^{\n]*$/gm) ?? [];
}

const mainPattern = /^func\s+main\s*\(/m;

/** A package of the standard library imports none of the workspace. */
function isStandard(path: string): boolean {
  return standardRoots.has(path.split('/')[0] ?? '');
}

const standardRoots: ReadonlySet<string> = new Set(
  'archive bufio builtin bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go hash html image index io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings structs sync syscall testing text time unicode unique unsafe weak'.split(
    ' ',
  ),
);
