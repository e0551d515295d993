import { expect, test } from 'vitest';
import type { Diagnostic } from '../lsp/diagnostic.ts';
import type { FileChange } from '../overlay/overlay.ts';
import type { FileDiagnostics, Proof } from '../servers/proof.ts';
import { hashContent } from '../workspace/content-hash.ts';
import { parseWorkspacePath, rootPath, type WorkspacePath } from '../workspace/workspace-path.ts';
import { type Compilation, compiledAnswers } from './compiled-answers.ts';
import { compareDiagnostics } from './diagnostic-comparison.ts';

const at = (path: string): WorkspacePath => parseWorkspacePath(path) ?? rootPath;
const rangeAt = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 1 } });
const placeAt = (uri: string, line: number, message: string) => ({ uri, range: rangeAt(line), message });

const header = at('include/a b.h');
const other = at('include/other.h');
const unit = at('src/a.cpp');
const second = at('src/b.cpp');
const headerUri = 'file:///w/include/a%20b.h';
const systemUri = 'file:///usr/include/memory';

function error(line: number, message: string, more: Partial<Diagnostic> = {}): Diagnostic {
  return { range: rangeAt(line), severity: 'error', code: 'mismatch', message, ...more };
}

function included(line: number, message: string, uri = headerUri): Diagnostic {
  return error(2, `In included file: ${message}`, {
    related: [placeAt(uri, line, 'Error occurred here'), placeAt(headerUri, 3, 'Declared here')],
  });
}

function answer(
  path: WorkspacePath,
  diagnostics: readonly Diagnostic[] = [],
  proof: Proof = { kind: 'published', version: 1 },
): FileDiagnostics {
  return { path, diagnostics, proof };
}

const compilation: Compilation = {
  pathOf: (uri) =>
    uri.startsWith('file:///w/') ? at(decodeURIComponent(uri.slice('file:///w/'.length))) : undefined,
  includedBy: async (units) => new Set(units.length > 0 ? [...units, header, other] : []),
  witnesses: new Set(),
};

/** Units that include one header. */
const headerAlone: Compilation['includedBy'] = async (units) =>
  new Set(units.length > 0 ? [...units, header] : []);

const text = (body: string) => ({ kind: 'text', text: body }) as const;
const headerChange: FileChange = {
  kind: 'modified',
  path: header,
  before: text('a'),
  beforeHash: hashContent(text('a')),
  after: text('b'),
};

async function compared(
  before: readonly FileDiagnostics[],
  after: readonly FileDiagnostics[],
  more: Partial<Compilation> = {},
) {
  const compiled = await compiledAnswers([headerChange], { before, after }, { ...compilation, ...more });
  const { introduced, resolved } = compareDiagnostics([], compiled.before, compiled.after);
  const shown = (findings: typeof introduced) =>
    findings.map(({ path, diagnostic: { range, message } }) => `${path}:${range.start.line} ${message}`);
  return { introduced: shown(introduced), resolved: shown(resolved), doubts: compiled.doubts };
}

const clean = [answer(header), answer(unit), answer(second)];
const own = error(176, "Out-of-line definition of 'as'");
const reported = included(176, "out-of-line definition of 'as'");
const listedOnce = ["include/a b.h:176 Out-of-line definition of 'as'"];

test.each([
  ['the header and two units', [own], [reported], [reported]],
  [
    'the header with a note on fixes',
    [{ ...own, message: `${own.message} (fix available)` }],
    [reported],
    [],
  ],
  ['a unit alone, which checks what the header by itself does not', [], [reported], []],
])('an error that %s report is listed once, in the header', async (_, inHeader, inUnit, inSecond) => {
  const after = [answer(header, inHeader), answer(unit, inUnit), answer(second, inSecond)];
  const found = await compared(clean, after);
  expect(found.introduced.map((each) => each.replace(' (fix available)', ''))).toEqual(listedOnce);
  expect((await compared(after, clean)).resolved).toHaveLength(1);
});

test('an error of a library is listed where the workspace asks for it, else where it is reported', async () => {
  const place = placeAt(systemUri, 9, 'Error occurred here');
  const asked = placeAt(headerUri, 4, "In instantiation of 'f' requested here");
  const because = (related: Diagnostic['related']) =>
    error(2, 'In included file: no f', { related: related ?? [] });
  const find = async (diagnostic: Diagnostic) =>
    (await compared(clean, [answer(header), answer(unit, [diagnostic]), answer(second)])).introduced;
  expect(await find(because([place, asked]))).toEqual(['include/a b.h:4 No f']);
  expect(await find(because([place]))).toEqual(['src/a.cpp:2 In included file: no f']);
});

test('an error that a header has only by itself is not introduced', async () => {
  expect(await compared(clean, [answer(header, [own]), answer(unit), answer(second)])).toEqual({
    introduced: [],
    resolved: [],
    doubts: [],
  });
});

test('a warning that the flags make an error needs no unit that confirms it', async () => {
  const promoted = error(4, 'Unused variable', { code: '-Wunused-variable' });
  const found = await compared(clean, [answer(header, [promoted]), answer(unit), answer(second)]);
  expect(found.introduced).toEqual(['include/a b.h:4 Unused variable']);
  const old = [answer(header, [own]), answer(unit), answer(second)];
  const broken = [answer(header, [own, promoted]), answer(unit), answer(second)];
  expect((await compared(old, broken)).introduced).toEqual([]);
});

test('the errors of a header that no unit includes are its own', async () => {
  const none = { includedBy: async () => new Set<WorkspacePath>() };
  const found = await compared([answer(header)], [answer(header, [own])], none);
  expect(found.introduced).toEqual(listedOnce);
});

test('a header that compiled by itself lists all its errors once a unit reports one', async () => {
  const more = error(180, 'Second');
  const after = [answer(header, [own, more]), answer(unit, [reported]), answer(second)];
  const found = await compared(clean, after, { includedBy: headerAlone });
  expect(found.introduced).toEqual([...listedOnce, 'include/a b.h:180 Second']);
  expect(found.doubts).toEqual([]);
});

test('of a header that never compiled by itself the units decide, and more errors are a doubt', async () => {
  const alone = error(1, 'Unknown name');
  const before = [answer(header, [alone]), answer(unit), answer(second)];
  const harmless = [answer(header, [alone, error(7, 'Unknown name')]), answer(unit), answer(second)];
  expect(await compared(before, harmless)).toEqual({ introduced: [], resolved: [], doubts: [] });
  const broken = [answer(header, [alone]), answer(unit, [reported]), answer(second)];
  const found = await compared(before, broken);
  expect(found.introduced).toEqual(listedOnce);
  expect(found.doubts.join()).toContain('Errors of include/a b.h show only in the units');
});

test('an error may hide those of a header that was not asked by itself', async () => {
  const after = [answer(header, [own]), answer(unit, [reported]), answer(second)];
  expect((await compared(clean, after, { includedBy: headerAlone })).doubts).toEqual([]);
  const found = await compared(clean, after);
  expect(found.introduced).toEqual(listedOnce);
  expect(found.doubts.join()).toContain('There may be more errors, in include/other.h');
  expect((await compared(clean, clean)).doubts).toEqual([]);
});

test('more errors are a doubt too where the header has none by itself', async () => {
  const found = await compared(clean, [answer(header), answer(unit, [reported]), answer(second)]);
  expect(found.introduced).toEqual(listedOnce);
  expect(found.doubts.join()).toContain('Errors of include/a b.h show only in the units');
});

test('an error that may have been hidden before is not introduced, but a doubt', async () => {
  const before = [answer(header), answer(unit, [included(5, 'old')]), answer(second)];
  const after = [answer(header), answer(unit, [included(3, 'hidden until now')]), answer(second)];
  const found = await compared(before, after);
  expect(found).toMatchObject({ introduced: [], resolved: [] });
  expect(found.doubts.join()).toContain('src/a.cpp');
});

test('a unit that was not measured on both sides says nothing about its headers', async () => {
  const late = answer(unit, [], { kind: 'none', reason: 'timeout' });
  const after = [answer(header), answer(unit, [reported]), answer(second)];
  expect((await compared([answer(header), late, answer(second)], after)).introduced).toEqual([]);
});

test('a unit that was asked about a header only reports nothing else', async () => {
  const witnesses = new Set([unit]);
  const elsewhere = included(8, 'elsewhere', 'file:///w/include/other.h');
  const after = [answer(header), answer(unit, [error(30, 'Own'), elsewhere, reported])];
  const found = await compared([answer(header), answer(unit)], after, { witnesses });
  expect(found.introduced).toEqual(listedOnce);
});
