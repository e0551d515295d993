/**
 * Judges changes of one checkout one after the other: the compiler on a copy, Forerun on the checkout.
 *
 * Invariant: a difference is counted only after the compiler, asked another way, has said the same again.
 */
import type { Change, ChangedFile } from '../support/changes/change.ts';
import type { Sources } from '../support/changes/sources.ts';
import type { CompilerReport, WorkspaceCompiler } from '../support/compilers/report.ts';
import type { Problem } from '../support/truth/problem.ts';
import { type Comparison, compareAnswer, type Measured, problemKey } from './comparison.ts';
import type { ForerunAnswer, WarmForerun } from './forerun-answer.ts';
import type { JudgedLanguage } from './judged-language.ts';
import type { RepositoryCopy } from './repository-copy.ts';

export interface JudgedChange extends Comparison {
  readonly change: Change;
  readonly answer: ForerunAnswer;
  readonly compilerMs: number;
  /** What the compiler says came and went, for a reader. */
  readonly introduced: readonly string[];
  readonly resolved: readonly string[];
}

/** A change as the compiler sees it. */
interface CompiledChange {
  readonly report: CompilerReport;
  readonly compilerMs: number;
}

export interface JudgeParts {
  readonly language: JudgedLanguage;
  readonly compiler: WorkspaceCompiler;
  readonly copy: RepositoryCopy;
  readonly forerun: WarmForerun;
  readonly sources: Sources;
}

export class Judge {
  readonly #parts: JudgeParts;
  readonly #before: readonly Problem[];
  #unstableBefore: ReadonlySet<string> | undefined;

  constructor(parts: JudgeParts, before: readonly Problem[]) {
    this.#parts = parts;
    this.#before = before;
  }

  static async open(parts: JudgeParts, signal: AbortSignal): Promise<Judge> {
    const { problems } = await parts.compiler.measure(signal);
    return new Judge(parts, problems.filter(isError));
  }

  get problemsBefore(): number {
    return this.#before.length;
  }

  /**
   * Whether the compiler reads a place that the change is about to alter, found out without asking Forerun: by the files it checks,
   * where it reads such files whole, else with a line that nobody can compile.
   */
  async isReadPlace({ files, ...change }: Change, signal: AbortSignal): Promise<boolean> {
    const { compiler, copy, language, sources } = this.#parts;
    const isSource = ({ path }: ChangedFile): boolean => language.sourceFile.test(path);
    if (!files.every(isSource)) return true;
    if (language.readsWhole && files.some(({ path }) => compiler.members?.has(path))) return true;
    const probed = files.map((file) => ({
      path: file.path,
      after: probedText(file, sources, language.probe),
    }));
    const changed = files.map(({ path }) => path);
    const { problems } = await copy.holding({ ...change, files: probed }, () =>
      compiler.measureAfter(changed, signal),
    );
    return this.#differing(this.#before, problems).size > 0;
  }

  /**
   * What the compiler says of a change. Measured before the place is probed: a build that follows the probe finds the work
   * done that putting the change before back has caused, which Forerun has to do in its own directory.
   */
  async compile(change: Change, signal: AbortSignal): Promise<CompiledChange> {
    const { compiler, copy } = this.#parts;
    const start = performance.now();
    const changed = change.files.map(({ path }) => path);
    const report = await copy.holding(change, () => compiler.measureAfter(changed, signal));
    return { report, compilerMs: Math.round(performance.now() - start) };
  }

  async judge(
    change: Change,
    { report, compilerMs }: CompiledChange,
    signal: AbortSignal,
  ): Promise<JudgedChange> {
    const { problems, hidden = new Set<string>() } = report;
    const answer = await this.#parts.forerun.ask(change, signal);
    const after = problems.filter(isError);
    const plain = { before: this.#before, after, hidden, unstable: new Set<string>() };
    const first = this.#compare(change, answer, plain);
    const comparison =
      first.outcome === 'exact' || answer.verdict === 'unknown'
        ? first
        : this.#compare(change, answer, { ...plain, unstable: await this.#unstable(change, after, signal) });
    const difference = this.#difference(change, plain);
    const mayBeUnread =
      answer.verdict === 'unknown' && difference.introduced.length + difference.resolved.length === 0;
    const isUnread = mayBeUnread && !(await this.#isRead(change, after, signal));
    return {
      change,
      answer,
      compilerMs,
      ...difference,
      ...comparison,
      ...(isUnread && { outcome: 'unread' }),
    };
  }

  /**
   * Whether the compiler objects to a line that nobody can compile where the change is: before its first line, in place of
   * it, or after its last one, which a line of the change may have taken out of the build.
   */
  async #isRead(change: Change, after: readonly Problem[], signal: AbortSignal): Promise<boolean> {
    const { compiler, copy, language, sources } = this.#parts;
    const known = new Map(change.files.map(({ path }) => [path, sources.text(path)]));
    for (const place of ['before', 'instead', 'after'] as const) {
      const probed = withProbe(change, known, { line: language.probe, place });
      if (!probed) return true;
      const changed = probed.files.map(({ path }) => path);
      const { problems } = await copy.holding(probed, () => compiler.measureAfter(changed, signal));
      if (problems.filter(isError).length === after.length) return false;
    }
    return true;
  }

  #compare(change: Change, answer: ForerunAnswer, measured: Measured): Comparison {
    const { sources, language } = this.#parts;
    return compareAnswer(answer, measured, { change, sources, codeOf: language.codeOf });
  }

  /** What the compiler itself says in one run and not in another, before the change or after it. */
  async #unstable(
    change: Change,
    after: readonly Problem[],
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    const { compiler, copy } = this.#parts;
    if (!compiler.measureAgain) return new Set();
    this.#unstableBefore ??= this.#differing(this.#before, (await compiler.measureAgain(signal)).problems);
    const again = await copy.holding(change, () => compiler.measureAgain?.(signal) ?? Promise.reject());
    return new Set([...this.#unstableBefore, ...this.#differing(after, again.problems)]);
  }

  #differing(first: readonly Problem[], second: readonly Problem[]): ReadonlySet<string> {
    const keys = (problems: readonly Problem[]): ReadonlySet<string> =>
      new Set(problems.filter(isError).map((problem) => problemKey(problem, this.#parts.language.codeOf)));
    const [one, two] = [keys(first), keys(second)];
    return new Set([...one, ...two].filter((key) => one.has(key) !== two.has(key)));
  }

  /** An answer that says nothing differs from the compiler by all that came and went. */
  #difference(
    change: Change,
    measured: Measured,
  ): { introduced: readonly string[]; resolved: readonly string[] } {
    const { missed, invented } = this.#compare(change, silence, measured);
    return { introduced: missed, resolved: invented };
  }
}

const silence: ForerunAnswer = {
  verdict: 'unknown',
  confidence: 'lower',
  introduced: [],
  resolved: [],
  doubts: [],
  durationMs: 0,
  patch: '',
};

function isError({ severity }: Problem): boolean {
  return severity === 'error';
}

/** The text before a change with a line put where the change begins; the line alone where there is no such file. */
function probedText({ path, after = '' }: ChangedFile, sources: Sources, line: string): string {
  const before = sources.text(path)?.split('\n');
  if (before === undefined) return `${line}\n`;
  const changed = after.split('\n');
  const first = before.findIndex((each, at) => each !== changed[at]);
  return before.toSpliced(first < 0 ? before.length : first, 0, line).join('\n');
}

/** The change with `line` put in each file where it begins or ends to differ; undefined where it leaves no such file. */
function withProbe(
  change: Change,
  known: ReadonlyMap<string, string | undefined>,
  { line, place }: { readonly line: string; readonly place: 'before' | 'instead' | 'after' },
): Change | undefined {
  const files = change.files.map((file): ChangedFile => {
    const { path, after: text } = file;
    if (text === undefined) return file;
    const [before, lines] = [(known.get(path) ?? '').split('\n'), text.split('\n')];
    const first = Math.max(
      lines.findIndex((each, at) => each !== before[at]),
      0,
    );
    const same = [...lines].reverse().findIndex((each, at) => each !== before.at(-1 - at));
    const end = Math.max(first + 1, lines.length - Math.max(same, 0));
    const after = lines.toSpliced(place === 'after' ? end : first, place === 'instead' ? 1 : 0, line);
    return { path, after: after.join('\n') };
  });
  return files.some(({ after }) => after !== undefined) ? { ...change, files } : undefined;
}
