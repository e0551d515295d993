/**
 * The answers about C and C++ files as a compiler would give them, which reads headers only as parts of units.
 *
 * A unit reports the errors of its headers at its includes; they are moved to the headers. A header that is opened by
 * itself may lack what its units declare before they include it, so its own errors are not those of a compiler.
 *
 * Invariants: an error of a header is listed once, at its place, however many units report it. It is taken from a unit
 * only if that unit was measured on both sides. If a unit includes a header, own errors of the header count only if it
 * compiled by itself before the change and a unit confirms that it or a header included with it has errors. No unit
 * confirms a warning that the flags make an error, because the server reports no warnings of included files: it counts if the
 * header compiled by itself. Whatever an earlier error of the same include may hide is a doubt.
 */
import type { Diagnostic } from '../lsp/diagnostic.ts';
import type { FileChange } from '../overlay/overlay.ts';
import { isUnit } from '../servers/c/compilation-database.ts';
import { hidesOthers, includedError } from '../servers/c/included-error.ts';
import type { FileDiagnostics } from '../servers/proof.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { carryOf, plainMessage } from './diagnostic-comparison.ts';
import { listed } from './evaluation.ts';

export interface Compilation {
  /** The path of a URI; undefined outside the workspace. */
  readonly pathOf: (uri: string) => WorkspacePath | undefined;
  /** Every file that these units include, directly or not; too many perhaps, never too few. */
  readonly includedBy: (units: readonly WorkspacePath[]) => Promise<ReadonlySet<WorkspacePath>>;
  /** Units that were asked only for the errors of the changed headers they include. */
  readonly witnesses: ReadonlySet<WorkspacePath>;
}

export interface Answers {
  readonly before: readonly FileDiagnostics[];
  readonly after: readonly FileDiagnostics[];
}

export interface CompiledAnswers extends Answers {
  /** What may be hidden, in sentences. */
  readonly doubts: readonly string[];
  /** Headers that were not asked about, of which a unit may hide errors. */
  readonly behind: readonly WorkspacePath[];
}

export async function compiledAnswers(
  changes: readonly FileChange[],
  answers: Answers,
  compilation: Compilation,
): Promise<CompiledAnswers> {
  const { pathOf } = compilation;
  const files = new ComparedFiles(changes, answers);
  const { before, after, unitsHiding } = withoutHiding(files);
  const units = [...new Set([...before, ...after].map(({ path }) => path))].filter(isUnit);
  const covered = await compilation.includedBy(units);
  const moved = {
    before: movedErrors(before, covered, pathOf),
    after: movedErrors(after, covered, pathOf),
  };
  const reporting = after
    .filter(({ path, diagnostics }) => isUnit(path) && diagnostics.some(hidesOthers))
    .map(({ path }) => path);
  const blamed = await compilation.includedBy([...reporting, ...unitsHiding]);
  const compilesAlone = (path: WorkspacePath): boolean =>
    files.isCompared(path) && !files.before(path)?.diagnostics.some(isOwnError);
  const isTrusted = (path: WorkspacePath): boolean => {
    const [old, now] = [files.before(path), files.after(path)];
    if (isUnit(path) || !covered.has(path)) return true;
    if (!compilesAlone(path)) return false;
    const reported = moved.after.get(path) ?? [];
    if (old === undefined)
      return reported.some(({ diagnostic }) => now?.diagnostics.some((own) => isSame(own, diagnostic)));
    return reported.length > 0 || blamed.has(path);
  };
  const listedOwn = (path: WorkspacePath): readonly Diagnostic[] =>
    isTrusted(path) ? (files.after(path)?.diagnostics ?? []) : [];
  const unlisted = [...moved.after].flatMap(([path, errors]) => {
    const own = listedOwn(path);
    const isOwn = ({ diagnostic }: MovedError): boolean => own.some((each) => isSame(each, diagnostic));
    return errors.some((error) => error.hides && !isOwn(error)) ? [path] : [];
  });
  const asked = new Set([...answers.before, ...answers.after].map(({ path }) => path));
  // A header may also rest on what its unit includes before it, so all of them count, whatever they include themselves.
  const behind = [...(await compilation.includedBy(reporting))].filter(
    (path) => !isUnit(path) && !asked.has(path),
  );
  const isWanted = ({ path }: FileDiagnostics): boolean =>
    compilation.witnesses.size === 0 || (asked.has(path) && !compilation.witnesses.has(path));
  const side = (own: readonly FileDiagnostics[], errors: Moved, origin: Origin) => {
    const counts = (path: WorkspacePath, each: Diagnostic): boolean =>
      isTrusted(origin(path)) || (isPromoted(each) && compilesAlone(origin(path)));
    return merged(own, errors, { covered, pathOf, counts }).filter(isWanted);
  };
  return {
    before: side(before, moved.before, (path) => files.later(path)),
    after: side(after, moved.after, (path) => path),
    doubts: [...doubtOfHiding(unitsHiding), ...doubtOfMore(unlisted, behind)],
    behind,
  };
}

type Origin = (path: WorkspacePath) => WorkspacePath;

/** Both answers about each file, by its path after the change. */
class ComparedFiles {
  readonly answers: Answers;
  readonly #changes: ReadonlyMap<WorkspacePath, FileChange>;
  readonly #moves: ReadonlyMap<WorkspacePath, WorkspacePath>;
  readonly #before: ReadonlyMap<WorkspacePath, FileDiagnostics>;
  readonly #after: ReadonlyMap<WorkspacePath, FileDiagnostics>;

  constructor(changes: readonly FileChange[], answers: Answers) {
    this.answers = answers;
    this.#changes = new Map(changes.map((change) => [change.path, change]));
    this.#moves = new Map(changes.flatMap(({ path, from }) => (from === undefined ? [] : [[from, path]])));
    this.#before = new Map(answers.before.map((answer) => [answer.path, answer]));
    this.#after = new Map(answers.after.map((answer) => [answer.path, answer]));
  }

  get alterHeaders(): boolean {
    return [...this.#changes.keys()].some((path) => !isUnit(path));
  }

  before(path: WorkspacePath): FileDiagnostics | undefined {
    return this.#before.get(this.#changes.get(path)?.from ?? path);
  }

  after(path: WorkspacePath): FileDiagnostics | undefined {
    return this.#after.get(path);
  }

  /** The path after the change of a file before it. */
  later(path: WorkspacePath): WorkspacePath {
    return this.#moves.get(path) ?? path;
  }

  /** The line after the change of a diagnostic before it; undefined if an edit touched it. */
  lineAfter(path: WorkspacePath, { range }: Diagnostic): number | undefined {
    return carryOf(this.#changes.get(path))(range)?.start.line;
  }

  isCompared(path: WorkspacePath): boolean {
    return isMeasured(this.before(path)) && !this.before(path)?.isCut && isMeasured(this.after(path));
  }
}

/** A file that does not exist on one side has no answer there, which differs from an answer that is missing. */
function isMeasured(answer: FileDiagnostics | undefined): boolean {
  return answer?.proof.kind !== 'none';
}

/**
 * The answers without the errors at includes that had one before the change and have one after it: either may hide
 * others. Errors of headers are dropped altogether if their unit was not measured on both sides.
 */
function withoutHiding(files: ComparedFiles): Answers & { readonly unitsHiding: readonly WorkspacePath[] } {
  const unitsHiding = new Set<WorkspacePath>();
  const pairs = new Set<Diagnostic>();
  for (const { path, diagnostics } of files.answers.after) {
    for (const old of files.before(path)?.diagnostics.filter(hidesOthers) ?? []) {
      const line = files.lineAfter(path, old);
      const now = diagnostics.find((each) => hidesOthers(each) && each.range.start.line === line);
      if (now === undefined) continue;
      if (isUnit(path) && (files.alterHeaders || old.message !== now.message)) unitsHiding.add(path);
      pairs.add(old).add(now);
    }
  }
  const kept = (later: Origin) => (answer: FileDiagnostics) => {
    const isCompared = files.isCompared(later(answer.path));
    const isKept = (each: Diagnostic): boolean => !hidesOthers(each) || (isCompared && !pairs.has(each));
    return { ...answer, diagnostics: answer.diagnostics.filter(isKept) };
  };
  return {
    before: files.answers.before.map(kept((path) => files.later(path))),
    after: files.answers.after.map(kept((path) => path)),
    unitsHiding: [...unitsHiding],
  };
}

/** The errors of each header that files report elsewhere, with the proof of one of these answers. */
type Moved = ReadonlyMap<WorkspacePath, readonly MovedError[]>;

interface MovedError extends Pick<FileDiagnostics, 'proof'> {
  readonly diagnostic: Diagnostic;
  /** Whether it may hide others. */
  readonly hides: boolean;
}

/** Headers that a unit covers say nothing about other headers: the unit does. */
function movedErrors(
  answers: readonly FileDiagnostics[],
  covered: ReadonlySet<WorkspacePath>,
  pathOf: Compilation['pathOf'],
): Moved {
  const moved = new Map<WorkspacePath, MovedError[]>();
  for (const { path: reporter, diagnostics, proof } of answers) {
    if (!isUnit(reporter) && covered.has(reporter)) continue;
    for (const each of diagnostics) {
      const error = includedError(each, pathOf);
      if (error === undefined) continue;
      const { path, diagnostic } = error;
      const known = moved.get(path) ?? [];
      if (known.some((other) => isSame(other.diagnostic, diagnostic) && isAtColumn(other, diagnostic)))
        continue;
      moved.set(path, [...known, { diagnostic, proof, hides: hidesOthers(each) }]);
    }
  }
  return moved;
}

/** The answers with the moved errors at their places. */
function merged(
  answers: readonly FileDiagnostics[],
  moved: Moved,
  { covered, counts, pathOf }: MergeRules,
): readonly FileDiagnostics[] {
  const own = new Map(
    answers.map((answer): [WorkspacePath, FileDiagnostics] => {
      const isCovered = !isUnit(answer.path) && covered.has(answer.path);
      const isKept = (each: Diagnostic): boolean =>
        includedError(each, pathOf) === undefined &&
        (!isCovered || !isError(each) || counts(answer.path, each));
      return [answer.path, { ...answer, diagnostics: answer.diagnostics.filter(isKept) }];
    }),
  );
  for (const [path, errors] of moved) {
    const answer = own.get(path);
    const [{ proof } = { proof: undefined }] = errors;
    if (proof === undefined) continue;
    const base = answer && isMeasured(answer) ? answer : { path, diagnostics: [], proof };
    const more = errors.filter(
      ({ diagnostic }) => !base.diagnostics.some((each) => isSame(each, diagnostic)),
    );
    own.set(path, {
      ...base,
      diagnostics: [...base.diagnostics, ...more.map(({ diagnostic }) => diagnostic)],
    });
  }
  return [...own.values()];
}

interface MergeRules extends Pick<Compilation, 'pathOf'> {
  readonly covered: ReadonlySet<WorkspacePath>;
  /** Whether an error of a file itself counts. */
  readonly counts: (path: WorkspacePath, error: Diagnostic) => boolean;
}

/** Columns of an included error are those of the server, and a note on fixes is added to the original alone. */
function isSame(a: Diagnostic, b: Diagnostic): boolean {
  return a.range.start.line === b.range.start.line && plainMessage(a) === plainMessage(b);
}

function isAtColumn({ diagnostic }: MovedError, { range }: Diagnostic): boolean {
  return diagnostic.range.start.character === range.start.character;
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

/** A warning that the flags make an error. */
function isPromoted({ severity, code }: Diagnostic): boolean {
  return severity === 'error' && typeof code === 'string' && code.startsWith('-W');
}

function isOwnError(each: Diagnostic): boolean {
  return isError(each) && !isPromoted(each);
}

function doubtOfHiding(units: readonly WorkspacePath[]): readonly string[] {
  if (units.length === 0) return [];
  return [
    `Headers of ${listed(units)} had errors before the change, which hide others: the server reports one for each include.`,
  ];
}

/** `shown` show errors only in units, `behind` are included with one that has an error. */
function doubtOfMore(shown: readonly WorkspacePath[], behind: readonly WorkspacePath[]): readonly string[] {
  const one = 'the server reports one for each include of a unit';
  if (shown.length > 0)
    return [`Errors of ${listed(shown)} show only in the units: ${one}, so there may be more.`];
  return behind.length > 0 ? [`There may be more errors, in ${listed(behind)}: ${one}.`] : [];
}
