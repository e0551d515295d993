/** The rule of `npm run check:returns`, on planted examples. */
import ts from 'typescript';
import { expect, test } from 'vitest';
import { unawaitedReturns } from '../../scripts/lint/unawaited-return.ts';

const declarations = `
declare function work(): Promise<number>;
declare function open(): AsyncDisposable & Disposable;
declare function tidy(): void;
declare const maybe: boolean;
`;

/** One function to a line; the mark says which are refused. */
const planted = `${declarations}
async function a() { await using _held = open(); return work(); /* refused */ }
async function b() { using _held = open(); return work(); /* refused */ }
async function c() { try { return work(); /* refused */ } finally { tidy(); } }
async function d() { try { return work(); /* refused */ } catch { return 0; } }
async function e() { try { await work(); } catch { return work(); /* refused */ } finally { tidy(); } }
async function f() { await using _held = open(); if (maybe) { return maybe ? 1 : work(); /* refused */ } return 2; }
const g = async () => { await using _held = open(); return { then: (done: () => void) => done() }; /* refused */ };
async function h() { for (await using _held of [open()]) { return work(); /* refused */ } return 0; }
async function i() { switch (maybe) { case true: { using _held = open(); return work(); /* refused */ } default: return 0; } }
function j() { using _held = open(); return work(); /* refused */ }

async function l() { await using _held = open(); return await work(); }
async function m() { { await using _held = open(); } return work(); }
async function n() { await using _held = open(); const inner = async () => { return work(); }; return await inner(); }
async function o() { try { await work(); } catch { return work(); } return 0; }
async function p() { try { await work(); } finally { tidy(); } return work(); }
async function* q() { await using _held = open(); yield 1; return work(); }
async function r() { await using _held = open(); return 1; }
async function s() { if (maybe) return work(); await using _held = open(); return 1; }
export { a, b, c, d, e, f, g, h, i, j, l, m, n, o, p, q, r, s };
`;

test('a promise returned out of a block that ends first is refused, and nothing else is', () => {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
    strict: true,
    noEmit: true,
    types: [],
  };
  const name = '/planted.ts';
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => file === name || fileExists(file);
  host.getSourceFile = (file, ...rest) =>
    file === name
      ? ts.createSourceFile(file, planted, ts.ScriptTarget.ES2023, true)
      : getSourceFile(file, ...rest);
  const program = ts.createProgram([name], options, host);
  expect(program.getSemanticDiagnostics().map(({ messageText }) => messageText)).toEqual([]);
  const lines = planted.split('\n');
  const refused = lines.flatMap((text, index) => (text.includes('refused */') ? [index + 1] : []));
  expect(unawaitedReturns(program, (file) => file === name).map(({ line }) => line)).toEqual(refused);
});
