/**
 * Repositories of several sizes and languages, as a queue meets them: commits of a few files each, and changes to judge.
 *
 * Invariant: every commit compiles; a change of an odd number breaks its module, one of an even number does not.
 */
import { typescriptFiles } from '../../test/support/queue-trial.ts';
import { dialects, GeneratedSources } from './generated-workspace.ts';

type Files = Readonly<Record<string, string>>;

export interface QueueShape {
  readonly name: string;
  /** The program that the worker must find for it. */
  readonly program: string | undefined;
  readonly files: Files;
  /** The few files that commit `number` changes. */
  commit(number: number): Files;
  change(number: number): Files;
}

/** A chain of modules, each of which uses the one before. */
export const chainModules = 300;

export const chain: QueueShape = {
  name: `${chainModules} TypeScript modules in a chain`,
  program: undefined,
  files: {
    'tsconfig.json': typescriptFiles['tsconfig.json'],
    'package.json': typescriptFiles['package.json'],
    ...Object.fromEntries(
      Array.from({ length: chainModules }, (_, index) => [`src/m${index}.ts`, chainModule(index, 0)]),
    ),
  },
  commit: (number) => ({
    'src/m7.ts': chainModule(7, 1000 + number),
    'src/m9.ts': chainModule(9, 1000 + number),
  }),
  change(number) {
    const index = 20 + (number % (chainModules - 30));
    const text = chainModule(index, number);
    return {
      [`src/m${index}.ts`]: number % 2 === 1 ? text.replace('): number', '): string | number') : text,
    };
  },
};

function chainModule(index: number, number: number): string {
  const before = index === 0 ? '' : `import { f${index - 1} } from './m${index - 1}.js';\n`;
  const body = index === 0 ? `a + ${number}` : `f${index - 1}(a) + ${number}`;
  return `${before}export function f${index}(a: number): number {\n  return ${body};\n}\n`;
}

function generated(
  language: keyof typeof dialects,
  { files, title, program }: { readonly files: number; readonly title: string; readonly program?: string },
): QueueShape {
  const dialect = dialects[language];
  const sources = new GeneratedSources(dialect, files);
  const edited = (place: number, value: string): Files => {
    const at = sources.middle(place);
    return { [dialect.pathOf(at)]: sources.moduleText(at).replace('= 1000', `= ${value}`) };
  };
  return {
    name: title,
    program,
    files: Object.fromEntries([...dialect.configuration, ...sources.texts, ...packagesOf(sources.texts)]),
    commit: (number) => Object.assign({}, ...[0, 1, 2].map((place) => edited(place, String(2000 + number)))),
    change: (number) => edited(4 + (number % 8), number % 2 === 1 ? `"${number}"` : String(number)),
  };
}

/** The directories of Python modules as packages. */
function packagesOf(texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const modules = [...texts.keys()].filter((path) => path.endsWith('.py'));
  return new Map(modules.map((path) => [path.replace(/[^/]+$/, '__init__.py'), '']));
}

const packages = 200;

/** Packages, each of which uses the two before it. */
function goPackage(index: number, number: number): string {
  const before = [index - 1, index - 2].filter((each) => each >= 0);
  const imports = before.map((each) => `\t"example.com/sums/p${each}"\n`).join('');
  const sum = before.map((each) => ` + p${each}.Sum(a)`).join('');
  const head = imports === '' ? '' : `import (\n${imports})\n\n`;
  return `package p${index}\n\n${head}func Sum(a int) int {\n\tvar limit int = ${number}\n\treturn a + limit${sum}\n}\n`;
}

const go: QueueShape = {
  name: `${packages} Go packages`,
  program: 'gopls',
  files: {
    'go.mod': 'module example.com/sums\n\ngo 1.21\n',
    ...Object.fromEntries(
      Array.from({ length: packages }, (_, index) => [`p${index}/sum.go`, goPackage(index, 0)]),
    ),
  },
  commit: (number) => ({
    'p100/sum.go': goPackage(100, 1000 + number),
    'p120/sum.go': goPackage(120, 1000 + number),
  }),
  change(number) {
    const index = 180 + (number % 16);
    const text = goPackage(index, number);
    return { [`p${index}/sum.go`]: number % 2 === 1 ? text.replace('limit int', 'limit string') : text };
  },
};

export const queueShapes: readonly QueueShape[] = [
  chain,
  generated('typescript', { files: 2000, title: '2000 TypeScript modules in layers' }),
  generated('python', { files: 400, title: '400 Python modules', program: 'pyright-langserver' }),
  go,
];
