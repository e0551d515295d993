/**
 * Random branches of a small package: functions in modules, and files that call them. A branch renames, adds, removes and
 * calls functions and updates every call it can see, so that what breaks is what two branches do together.
 */
import type { SeededRandom } from '../seeded-random.ts';

interface DeclaredFunction {
  readonly module: number;
  readonly name: string;
  readonly parameters: number;
}

interface Call {
  readonly file: string;
  readonly module: number;
  readonly name: string;
  readonly arguments: number;
  /** The last argument is a text where a number belongs. */
  readonly isWrong?: boolean;
}

export interface Program {
  readonly functions: readonly DeclaredFunction[];
  readonly calls: readonly Call[];
  readonly remarks: readonly string[];
}

export function baseProgram(): Program {
  const functions = [0, 1, 2, 3].flatMap((module) =>
    [0, 1, 2, 3].map((at) => ({ module, name: `work${module}${at}`, parameters: 1 + (at % 3) })),
  );
  // The last function of each module is called by no file yet.
  const calls = functions
    .filter(({ name }) => !name.endsWith('3'))
    .map(({ module, name, parameters }) => ({
      file: `app${module}${name.at(-1)}`,
      module,
      name,
      arguments: parameters,
    }));
  return { functions, calls, remarks: [] };
}

/** The program of a branch; `label` makes its new names its own. */
export function branchOf(base: Program, label: string, random: SeededRandom): Program {
  let program = base;
  const steps = 1 + random.below(3);
  for (let step = 0; step < steps; step++) program = changed(program, `${label}${step}`, random);
  return program;
}

function changed(program: Program, label: string, random: SeededRandom): Program {
  const { functions, calls } = program;
  // Most branches work on the same few functions, or they would never meet.
  const busy = functions.filter(({ module }) => module === 0);
  const among = random.happens(70) ? busy : functions;
  const target = among[random.below(among.length)];
  if (!target) return program;
  const isTarget = ({ module, name }: { readonly module: number; readonly name: string }) =>
    module === target.module && name === target.name;
  switch (random.below(7)) {
    case 0: {
      const name = `${target.name}Renamed${label}`;
      return {
        ...program,
        functions: functions.map((each) => (isTarget(each) ? { ...each, name } : each)),
        calls: calls.map((each) => (isTarget(each) ? { ...each, name } : each)),
      };
    }
    case 1:
    case 2:
      return { ...program, calls: [...calls, { ...callOf(target), file: `new${label}` }] };
    case 3:
      return {
        ...program,
        functions: functions.map((each) =>
          isTarget(each) ? { ...each, parameters: each.parameters + 1 } : each,
        ),
        calls: calls.map((each) => (isTarget(each) ? { ...each, arguments: each.arguments + 1 } : each)),
      };
    case 4:
      return {
        ...program,
        functions: functions.filter((each) => !isTarget(each)),
        calls: calls.filter((each) => !isTarget(each)),
      };
    case 5:
      return { ...program, remarks: [...program.remarks, label] };
    default:
      // Broken alone, now and then: such errors are no conflict of two branches.
      return { ...program, calls: [...calls, { ...callOf(target), file: `bad${label}`, isWrong: true }] };
  }
}

function callOf({ module, name, parameters }: DeclaredFunction): Omit<Call, 'file'> {
  return { module, name, arguments: parameters };
}

export interface Syntax {
  readonly extension: string;
  readonly declaration: (name: string, parameters: number) => string;
  readonly call: (call: { module: number; name: string; values: readonly string[] }) => string;
  /** Files that are the same in every branch. */
  readonly common: Readonly<Record<string, string>>;
}

export const typescriptSyntax: Syntax = {
  extension: 'ts',
  declaration: (name, parameters) => {
    const names = Array.from({ length: parameters }, (_, at) => `p${at}`);
    return `export function ${name}(${names.map((each) => `${each}: number`).join(', ')}): number {\n  return ${names.join(' + ')};\n}\n`;
  },
  call: ({ module, name, values }) =>
    `import { ${name} } from '../lib/module${module}';\n\nexport const result: number = ${name}(${values.join(', ')});\n`,
  common: {},
};

export const pythonSyntax: Syntax = {
  extension: 'py',
  declaration: (name, parameters) => {
    const names = Array.from({ length: parameters }, (_, at) => `p${at}`);
    return `def ${name}(${names.map((each) => `${each}: int`).join(', ')}) -> int:\n    return ${names.join(' + ')}\n`;
  },
  call: ({ module, name, values }) =>
    `from ..lib.module${module} import ${name}\n\nresult: int = ${name}(${values.join(', ')})\n`,
  common: { '__init__.py': '', 'lib/__init__.py': '', 'app/__init__.py': '' },
};

/** The files of a program, relative to the directory of the package. */
export function filesOf(
  { functions, calls, remarks }: Program,
  syntax: Syntax,
): Readonly<Record<string, string>> {
  const { extension, declaration, call, common } = syntax;
  const modules = [0, 1, 2, 3].map((module) => [
    `lib/module${module}.${extension}`,
    functions
      .filter((each) => each.module === module)
      .map(({ name, parameters }) => declaration(name, parameters))
      // Wide apart, so that two branches seldom touch neighbouring lines.
      .join('\n\n\n\n\n'),
  ]);
  const users = calls.map(({ file, module, name, arguments: count, isWrong }) => {
    const values = Array.from({ length: count }, (_, at) =>
      isWrong && at === count - 1 ? '"text"' : String(at),
    );
    return [`app/${file}.${extension}`, call({ module, name, values })];
  });
  const notes = remarks.map((remark) => [`notes/${remark}.md`, `${remark}\n`]);
  return { ...common, ...Object.fromEntries([...modules, ...users, ...notes]) };
}
