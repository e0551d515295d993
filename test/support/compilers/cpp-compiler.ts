/**
 * The errors of each unit of a compilation database, by the compiler that the database names, run without code
 * generation.
 *
 * The standard lets a compiler accept or reject a template that has no valid instance. In such a case clang is asked too,
 * though it is not the compiler of the database: an error that only clang reports counts as right whether reported or not.
 *
 * Invariant: commands name the directory they are run in, wherever the database was written.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { isOnPath } from '../on-path.ts';
import type { Problem } from '../truth/problem.ts';
import { type CompilerReport, distinct, syntaxCode, type WorkspaceCompiler } from './report.ts';
import { runCompiler } from './run-compiler.ts';

const database = z.array(z.object({ directory: z.string(), command: z.string(), file: z.string() }));

export interface CppOptions {
  readonly root: string;
  /** The directory the database was written for. */
  readonly writtenFor: string;
  readonly database: string;
}

interface Unit {
  readonly directory: string;
  readonly command: string;
}

interface UnitAnswer {
  readonly problems: readonly Problem[];
  /** Every file the unit read, its own included. */
  readonly read: ReadonlySet<string>;
  /** Files that were not read to their end: a fatal error, as of an include that is missing, ends the unit. */
  readonly cut: ReadonlySet<string>;
}

export class CppCompiler implements WorkspaceCompiler {
  readonly #root: string;
  readonly #units: readonly Unit[];
  #whole: ReadonlyMap<Unit, UnitAnswer> = new Map();

  constructor({ root, writtenFor, database: path }: CppOptions) {
    this.#root = root;
    const here = (text: string): string => text.replaceAll(writtenFor, root);
    this.#units = database
      .parse(JSON.parse(readFileSync(path, 'utf8')))
      .map(({ directory, command }) => ({ directory: here(directory), command: here(command) }));
  }

  async measure(signal: AbortSignal): Promise<CompilerReport> {
    const answers = new Map<Unit, UnitAnswer>();
    for (const unit of this.#units) answers.set(unit, await this.#compile(unit, signal));
    this.#whole = answers;
    return reportOf([...answers.values()]);
  }

  async measureAfter(changed: readonly string[], signal: AbortSignal): Promise<CompilerReport> {
    const answers: UnitAnswer[] = [];
    for (const unit of this.#units) {
      const known = this.#whole.get(unit);
      const isReached = !known || changed.some((path) => known.read.has(path));
      answers.push(isReached ? await this.#compile(unit, signal) : known);
    }
    return reportOf(answers);
  }

  /** Every file that a unit read when the workspace was measured. */
  get members(): ReadonlySet<string> {
    return new Set([...this.#whole.values()].flatMap(({ read }) => [...read]));
  }

  async measureAgain(signal: AbortSignal): Promise<CompilerReport> {
    const answers: UnitAnswer[] = [];
    for (const unit of this.#units)
      answers.push(await this.#compile(unit, signal), await this.#compile(byClang(unit), signal));
    return reportOf(answers);
  }

  async #compile(unit: Unit, signal: AbortSignal): Promise<UnitAnswer> {
    const { directory, command } = unit;
    const words = command.split(/\s+/).filter((word) => word !== '');
    const output = words.indexOf('-o');
    const plain = words.filter((_, place) => output < 0 || (place !== output && place !== output + 1));
    const scratch = await mkdtemp(join(tmpdir(), 'forerun-cpp-'));
    try {
      const rules = join(scratch, 'unit.d');
      const limit = /clang/.test(plain[0] ?? '') ? '-ferror-limit=0' : '-fmax-errors=0';
      const flags = ['-fsyntax-only', limit, '-w', '-MD', '-MF', rules];
      const { stderr } = await runCompiler({ command: [...plain, ...flags], cwd: directory }, signal);
      const read = this.#pathsIn(await readFile(rules, 'utf8').catch(() => ''), directory);
      const known = this.#whole.get(unit)?.read ?? [];
      const cut = new Set(/: fatal error: /.test(stderr) ? [...known, ...read] : []);
      return { problems: cppProblems(stderr, this.#root, directory), read, cut };
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /** The prerequisites of a make rule, those that lie in the directory. */
  #pathsIn(rules: string, directory: string): ReadonlySet<string> {
    const [, prerequisites = ''] = /^[^:]*:((?:.|\n)*)$/.exec(rules) ?? [];
    const names = prerequisites.split(/[\s\\]+/).filter((name) => name !== '');
    return new Set(names.map((name) => relative(this.#root, resolve(directory, name))));
  }
}

/**
 * The errors that a compiler prints. One in a header outside the root is at the place of the root that asks for the
 * template, which clang names after the error and gcc before it: the header is not part of any answer.
 */
export function cppProblems(output: string, root: string, directory: string): readonly Problem[] {
  const pathOf = (name: string): string => relative(root, resolve(directory, name));
  const lines = output.split('\n');
  return lines.flatMap((line, at): Problem[] => {
    const [, path, row, column, message] =
      /^(.+?):(\d+):(\d+): (?:fatal )?error: (.*)$/.exec(line) ??
      /^()()()(?:cc1plus|clang|g\+\+): (?:fatal )?error: (.*)$/.exec(line) ??
      [];
    if (message === undefined || path === undefined) return [];
    const named = path === '' ? (/(\S+): No such file/.exec(message)?.[1] ?? '') : path;
    const own = { path: pathOf(named), line: Number(row || 1), column: Number(column || 1) };
    const place = isOutside(own.path) ? (requestOf(lines, at, pathOf) ?? own) : own;
    const code = /^(expected |stray |unterminated |missing terminating )/.test(message) ? syntaxCode : '';
    return [{ ...place, severity: 'error', code, message }];
  });
}

type Place = Pick<Problem, 'path' | 'line' | 'column'>;

/** The innermost place inside the root that the error at line `at` was instantiated for. */
function requestOf(
  lines: readonly string[],
  at: number,
  pathOf: (name: string) => string,
): Place | undefined {
  const isError = (line: string): boolean => /: (?:fatal )?error: /.test(line);
  const next = lines.findIndex((line, place) => place > at && isError(line));
  const notes = lines.slice(at + 1, next < 0 ? undefined : next);
  const start = lines
    .slice(0, at)
    .findLastIndex((line) => isError(line) || /: In instantiation of /.test(line));
  return [...lines.slice(start + 1, at), ...notes].flatMap((line): Place[] => {
    const [, path = '', row, column] =
      /^(.+?):(\d+):(\d+): (?:note: .* (?:requested|required) here$|\s+required from )/.exec(line) ?? [];
    const place = { path: pathOf(path), line: Number(row), column: Number(column) };
    return row === undefined || isOutside(place.path) ? [] : [place];
  })[0];
}

function isOutside(path: string): boolean {
  return path.startsWith('..');
}

/** The same unit for clang, which passes over flags that only the other compiler has; the unit itself without clang. */
function byClang({ directory, command }: Unit): Unit {
  const clang = clangNames.find((name) => isOnPath(name));
  return clang === undefined
    ? { directory, command }
    : { directory, command: command.replace(/^\S+/, clang) };
}

const clangNames = ['clang++', 'clang++-19'];

function reportOf(answers: readonly UnitAnswer[]): CompilerReport {
  return {
    problems: distinct(answers.flatMap(({ problems }) => problems)),
    answeredBy: ['the compiler of each unit'],
    hidden: new Set(answers.flatMap(({ cut }) => [...cut])),
  };
}
