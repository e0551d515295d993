/**
 * The Rust compiler's word on every target of a package or workspace, by `cargo check`.
 *
 * Invariant: what it builds lies outside the directory; nothing is downloaded.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { z } from 'zod';
import type { Problem } from '../truth/problem.ts';
import { type CompilerReport, distinct, type WorkspaceCompiler } from './report.ts';
import { runCompiler } from './run-compiler.ts';

const span = z.object({
  file_name: z.string(),
  line_start: z.number(),
  column_start: z.number(),
  is_primary: z.boolean(),
  /** Where the macro was called whose text the span lies in. */
  get expansion() {
    return z.object({ span }).nullish();
  },
});

const spoken = z.object({
  reason: z.literal('compiler-message'),
  message: z.object({
    level: z.string(),
    message: z.string(),
    code: z.object({ code: z.string() }).nullable(),
    spans: z.array(span),
  }),
});

export class RustCompiler implements WorkspaceCompiler {
  readonly #root: string;
  readonly #target = mkdtempSync(join(tmpdir(), 'forerun-cargo-'));
  #members: ReadonlySet<string> = new Set();

  constructor(root: string) {
    this.#root = root;
    process.once('exit', () => rmSync(this.#target, { recursive: true, force: true }));
  }

  /** The sources that targets compiled when the workspace was first measured. */
  get members(): ReadonlySet<string> {
    return this.#members;
  }

  async measure(signal: AbortSignal): Promise<CompilerReport> {
    const report = await this.#check(signal);
    if (this.#members.size === 0) this.#members = this.#compiled();
    return report;
  }

  async #check(signal: AbortSignal): Promise<CompilerReport> {
    const flags = ['--message-format', 'json', '--all-targets', '--workspace', '--keep-going', '--offline'];
    const run = {
      command: ['cargo', 'check', ...flags],
      cwd: this.#root,
      env: { CARGO_TARGET_DIR: this.#target },
    };
    const { code, stdout, stderr } = await runCompiler(run, signal);
    const problems = stdout.split('\n').flatMap((line) => this.#problem(line));
    if (code !== 0 && problems.length === 0) problems.push(manifestProblem(stderr, this.#root));
    return { problems: distinct(problems), answeredBy: ['cargo check'] };
  }

  measureAfter(_changed: readonly string[], signal: AbortSignal): Promise<CompilerReport> {
    return this.measure(signal);
  }

  /** What the compiler's own make rules name as prerequisites, as far as it lies in the directory. */
  #compiled(): ReadonlySet<string> {
    const rules = readdirSync(this.#target, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.d'),
    );
    const named = rules.flatMap((name) =>
      readFileSync(join(this.#target, name), 'utf8')
        .split('\n')
        .filter((line) => !line.startsWith('#'))
        .flatMap((line) => line.slice(line.indexOf(': ') + 1).split(/(?<!\\) /)),
    );
    const paths = named.map((name) => relative(this.#root, resolve(this.#root, name.replaceAll('\\ ', ' '))));
    return new Set(paths.filter((path) => path.endsWith('.rs') && !path.startsWith('..')));
  }

  /** Undefined outside the workspace. */
  #pathOf({ file_name: file }: z.infer<typeof span>): string | undefined {
    // A module may be named by a path that goes up and down again.
    const path = relative(this.#root, resolve(this.#root, file));
    return path.startsWith('..') ? undefined : path;
  }

  #problem(line: string): readonly Problem[] {
    if (!line.startsWith('{')) return [];
    const read = spoken.safeParse(JSON.parse(line));
    if (!read.success) return [];
    const { level, message, code, spans } = read.data.message;
    if (level !== 'error' && level !== 'warning') return [];
    // An error in the text of a library's macro is one of the line that calls it, as the compiler prints it.
    let place: z.infer<typeof span> | undefined = spans.find(({ is_primary }) => is_primary);
    while (place && this.#pathOf(place) === undefined) place = place.expansion?.span;
    const path = place && this.#pathOf(place);
    if (place === undefined || path === undefined) return [];
    const { line_start, column_start } = place;
    return [
      { path, line: line_start, column: column_start, severity: level, code: code?.code ?? '', message },
    ];
  }
}

/** Cargo stopped before any compiler ran. The manifest is the one that it points at, or names; else that of the workspace. */
export function manifestProblem(stderr: string, root: string): Problem {
  const message = stderr.trim();
  const [, place] =
    /^ *--> (\S*Cargo\.toml):\d+:\d+$/m.exec(message) ??
    /failed to load manifest for workspace member `([^`]+)`/.exec(message) ??
    /failed to parse manifest at `([^`]+)`/.exec(message) ??
    [];
  const named = relative(root, resolve(root, place ?? ''));
  const path = named.endsWith('Cargo.toml') ? named : join(named, 'Cargo.toml');
  return { path, line: 1, column: 1, severity: 'error', code: '', message };
}
