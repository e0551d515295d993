/**
 * Asks the compiler for all problems of a program, those of types even where the syntax is broken.
 *
 * Invariant: the program is read from disk by a process of its own, which is gone when the answer is there.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { API, DiagnosticCategory } from 'typescript-server/unstable/sync';
import { normaliseMessage, type Problem } from './problem.ts';

export async function askCompiler(root: string): Promise<readonly Problem[]> {
  const api = new API({ cwd: root });
  try {
    const config = join(root, 'tsconfig.json');
    const program = api.updateSnapshot({ openProjects: [config] }).getProject(config)?.program;
    if (program === undefined) throw new Error(`no program for ${config}`);
    const found = [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()];
    return await Promise.all(found.map((diagnostic) => problemOf(diagnostic, root)));
  } finally {
    api.close();
  }
}

type CompilerDiagnostic = ReturnType<
  NonNullable<
    ReturnType<ReturnType<API['updateSnapshot']>['getProject']>
  >['program']['getSemanticDiagnostics']
>[number];

async function problemOf(diagnostic: CompilerDiagnostic, root: string): Promise<Problem> {
  const { fileName = '', pos, code, category } = diagnostic;
  const before = (await readFile(fileName, 'utf8')).slice(0, pos);
  return {
    path: fileName.slice(root.length + 1),
    line: before.split('\n').length,
    column: pos - before.lastIndexOf('\n'),
    severity: category === DiagnosticCategory.Warning ? 'warning' : 'error',
    code: String(code),
    message: normaliseMessage(chained(diagnostic), root),
  };
}

function chained({ text, messageChain = [] }: CompilerDiagnostic): string {
  return [text, ...messageChain.map(chained)].join('\n');
}
