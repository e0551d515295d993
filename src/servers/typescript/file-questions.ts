/**
 * What a project is asked about one of its files.
 *
 * Invariant: the answers together are what the compiler reports for the file.
 */
import { abortable } from '../../base/deadline.ts';
import type { ApiDiagnostic, ApiProject, ApiSession, FileQuestion } from './api-session.ts';

/** Whether hints (suggestions) are requested as well: they cost about a third of the answer. */
export interface DiagnosticExtent {
  readonly hints: 'wanted' | 'unwanted';
}

/** A file as one project is asked about it. */
export interface FileInProject extends DiagnosticExtent {
  readonly project: ApiProject;
  readonly file: string;
}

type Asking = Pick<ApiSession, 'askFile'>;

/** All that a project reports about one of its files. */
export async function askAbout(
  session: Asking,
  asked: FileInProject,
  signal: AbortSignal,
): Promise<readonly ApiDiagnostic[]> {
  const { errors, hints } = begin(session, asked, signal);
  return (await Promise.all([errors, hints ?? []])).flat();
}

/** The answers of a project about a file, as they arrive. */
interface BegunAnswers<Answer = readonly ApiDiagnostic[]> {
  readonly errors: Promise<Answer>;
  /** Absent if none are wanted. */
  readonly hints?: Promise<Answer>;
}

function begin(session: Asking, { project, file, hints }: FileInProject, signal: AbortSignal): BegunAnswers {
  const ask = (question: FileQuestion) => session.askFile(question, project, file, signal);
  const errors = askInOrder(questionsTo(project), ask);
  return { errors, ...(hints === 'wanted' && { hints: ask('getSuggestionDiagnostics') }) };
}

/**
 * Answers that were asked for before a caller needs them.
 *
 * Invariant: an answer is of the very snapshot that its caller asks: each snapshot has projects of its own here, and what it
 * answers about a file does not change. Errors are asked for once, whether hints are wanted or not: a second answer may differ
 * in a file that does not parse. A question that failed is asked again, so that no caller gets the failure of another.
 */
export class AnswersAhead {
  readonly #answers = new WeakMap<
    ApiProject,
    Map<string, BegunAnswers<readonly ApiDiagnostic[] | undefined>>
  >();

  /** Asks all projects that hold a file, with hints. Resolves, and never rejects, when no question is open. */
  async ask(session: Asking, { holders, file }: Omit<HeldFile, 'hints'>, signal: AbortSignal): Promise<void> {
    const begun = inEach({ holders, file, hints: 'wanted' }).map(async (asked) => {
      const { errors, hints } = begin(session, asked, signal);
      const answers = {
        errors: errors.catch(() => undefined),
        ...(hints && { hints: hints.catch(() => undefined) }),
      };
      const byFile = this.#answers.get(asked.project) ?? new Map();
      this.#answers.set(asked.project, byFile.set(file, answers));
      await Promise.all([answers.errors, answers.hints]);
    });
    await Promise.all(begun);
  }

  /** The answers of all projects that hold a file: those that were asked for, and new ones. */
  async take(session: Asking, held: HeldFile, signal: AbortSignal): Promise<readonly ApiDiagnostic[]> {
    const answers = await Promise.all(inEach(held).map((asked) => this.#takeOne(session, asked, signal)));
    return answers.flat();
  }

  async #takeOne(
    session: Asking,
    asked: FileInProject,
    signal: AbortSignal,
  ): Promise<readonly ApiDiagnostic[]> {
    const ahead = this.#answers.get(asked.project)?.get(asked.file);
    const errors = ahead && (await abortable(ahead.errors, signal));
    if (errors === undefined) return askAbout(session, asked, signal);
    if (asked.hints === 'unwanted') return errors;
    const hints = ahead?.hints && (await abortable(ahead.hints, signal));
    const { project, file } = asked;
    return [
      ...errors,
      ...(hints ?? (await session.askFile('getSuggestionDiagnostics', project, file, signal))),
    ];
  }
}

/** A file in the programs of several projects. */
export interface HeldFile extends DiagnosticExtent {
  readonly holders: readonly ApiProject[];
  readonly file: string;
}

/** Suggestions are the same in every project, and requested once. */
function inEach({ holders, file, hints }: HeldFile): readonly FileInProject[] {
  return holders.map((project, index) => ({ project, file, hints: index === 0 ? hints : 'unwanted' }));
}

/** What the compiler reports about a file as wrong. */
function questionsTo({ compilerOptions: { declaration, composite } }: ApiProject): readonly FileQuestion[] {
  return [
    'getSyntacticDiagnostics',
    'getSemanticDiagnostics',
    ...(declaration === true || composite === true ? (['getDeclarationDiagnostics'] as const) : []),
  ];
}

/**
 * The answers to all questions. In a file that does not parse, the checker resolves for declarations what it otherwise
 * leaves alone, and reports that among its own errors: it is asked about them last, as the compiler does.
 */
export async function askInOrder(
  questions: readonly FileQuestion[],
  ask: (question: FileQuestion) => Promise<readonly ApiDiagnostic[]>,
): Promise<readonly ApiDiagnostic[]> {
  const isLast = (question: FileQuestion) => question === 'getDeclarationDiagnostics';
  const first = await Promise.all(questions.filter((question) => !isLast(question)).map(ask));
  const last = await Promise.all(questions.filter(isLast).map(ask));
  return [...first, ...last].flat();
}
