/**
 * Asks the compiler for all problems of programs, by its API: those of types even where the syntax or an option is broken,
 * those of declarations even where others stand, and with references followed to their sources.
 *
 * Invariant: programs are read from disk by a process of their own, which is gone when the answer is there.
 */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { API, type Diagnostic, DiagnosticCategory } from 'typescript-server/unstable/async';
import { normaliseMessage, type Problem } from '../truth/problem.ts';

/** What the compiler's API says of a project. */
export interface AskedProject {
  /** Of its files. */
  readonly files: readonly Problem[];
  /** Of its configuration and options, also of those that matter only where something is written. */
  readonly options: readonly Problem[];
}

/** The problems of each project, by the path of its configuration. */
export function askCompiler(
  root: string,
  configs: readonly string[],
): Promise<ReadonlyMap<string, AskedProject>> {
  return withPrograms(root, configs, async (program, config) => {
    const { declaration, composite } = program.getCompilerOptions();
    const makesDeclarations = declaration === true || composite === true;
    return {
      files: await problemsOf(
        [
          ...(await program.getSyntacticDiagnostics()),
          ...(await program.getGlobalDiagnostics()),
          ...(await program.getSemanticDiagnostics()),
          ...(makesDeclarations ? await program.getDeclarationDiagnostics() : []),
        ],
        { root, config },
      ),
      options: await optionsOf(program, { root, config }),
    };
  });
}

/** The problems of each project's configuration and options, also of those that matter only where something is written. */
export function askOptions(
  root: string,
  configs: readonly string[],
): Promise<ReadonlyMap<string, readonly Problem[]>> {
  return withPrograms(root, configs, (program, config) => optionsOf(program, { root, config }));
}

interface ProgramPlace {
  readonly root: string;
  readonly config: string;
}

async function optionsOf(program: Program, place: ProgramPlace): Promise<readonly Problem[]> {
  const found = [
    ...(await program.getConfigFileParsingDiagnostics()),
    ...(await program.getProgramDiagnostics()),
  ];
  return problemsOf(found, place);
}

function problemsOf(
  found: readonly Diagnostic[],
  { root, config }: ProgramPlace,
): Promise<readonly Problem[]> {
  return Promise.all(found.filter(isProblem).map((diagnostic) => problemOf(diagnostic, root, config)));
}

/** The files of each program that lie in the workspace, outside its dependencies. */
export function askMembers(
  root: string,
  configs: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  return withPrograms(root, configs, async (program) => {
    const names = await program.getSourceFileNames();
    return names
      .map((name) => relative(root, name))
      .filter((path) => !path.startsWith('..') && !path.includes('node_modules/'));
  });
}

type Program = NonNullable<ReturnType<Awaited<ReturnType<API['updateSnapshot']>>['getProject']>>['program'];

async function withPrograms<T>(
  root: string,
  configs: readonly string[],
  ask: (program: Program, config: string) => Promise<T>,
): Promise<ReadonlyMap<string, T>> {
  const api = new API({ cwd: root });
  const answers = new Map<string, T>();
  try {
    const snapshot = await api.updateSnapshot({ openProjects: configs.map((config) => join(root, config)) });
    for (const config of configs) {
      const program = snapshot.getProject(join(root, config))?.program;
      // A configuration that cannot be read has no program, and no answer here.
      if (program !== undefined) answers.set(config, await ask(program, config));
    }
    return answers;
  } finally {
    await api.close();
  }
}

function isProblem({ category }: Diagnostic): boolean {
  return category === DiagnosticCategory.Error || category === DiagnosticCategory.Warning;
}

async function problemOf(diagnostic: Diagnostic, root: string, config: string): Promise<Problem> {
  const { fileName, pos, code, category } = diagnostic;
  const before = fileName === undefined ? '' : (await readFile(fileName, 'utf8')).slice(0, pos);
  return {
    path: fileName === undefined ? config : relative(root, fileName),
    line: fileName === undefined ? 1 : before.split('\n').length,
    column: fileName === undefined ? 1 : pos - before.lastIndexOf('\n'),
    severity: category === DiagnosticCategory.Warning ? 'warning' : 'error',
    code: String(code),
    message: normaliseMessage(chained(diagnostic), root),
  };
}

function chained({ text, messageChain = [] }: Diagnostic): string {
  return [text, ...messageChain.map(chained)].join('\n');
}
