/**
 * The mutations that truth is tested with: a written table for each language, and more of the common kinds
 * drawn by a seed.
 *
 * Invariant: the same seed gives the same mutations, by name and by text.
 */
import { draft, type Mutation, type MutationPlan, type Stroke } from './mutation.ts';
import { pythonPlans } from './python-mutations.ts';
import { pythonFiles } from './python-workspace.ts';
import { typescriptPlans } from './typescript-mutations.ts';
import { typescriptFiles } from './typescript-workspace.ts';
import { type WorkspaceFiles, withCarriageReturns } from './workspace-files.ts';

/** Mutations of the flawed TypeScript workspace. */
export function typescriptMutations(seed: number): readonly Mutation[] {
  const files = typescriptFiles('flawed');
  return drafted(files, [...typescriptPlans, ...drawn(files, typescript, seed)]);
}

/** Mutations of the flawed Python workspace. */
export function pythonMutations(seed: number): readonly Mutation[] {
  const files = pythonFiles('flawed');
  return drafted(files, [...pythonPlans, ...drawn(files, python, seed)]);
}

/** What the drawing needs to know of a language. */
interface Dialect {
  readonly extension: string;
  readonly comment: string;
  readonly flawed: readonly string[];
  /** A declaration others may import: what precedes the name, and the name. */
  readonly declaration: RegExp;
  /** How a declaration is written once it is no longer for others. */
  readonly hidden: (before: string, name: string) => string;
}

const typescript: Dialect = {
  extension: '.ts',
  comment: '//',
  flawed: ['src/app/render.ts', 'src/app/audit.ts', 'src/app/stock.ts'],
  declaration: /^(export (?:abstract )?(?:function|class|interface|type|const) )(\w+)/gm,
  hidden: (before, name) => before.replace('export ', '') + name,
};

const python: Dialect = {
  extension: '.py',
  comment: '#',
  flawed: ['shop/app/render.py', 'shop/app/audit.py', 'shop/app/stock.py'],
  declaration: /^((?:def|class) )(\w+)/gm,
  hidden: (before, name) => `${before}_${name}`,
};

function drafted(files: WorkspaceFiles, plans: readonly MutationPlan[]): readonly Mutation[] {
  return plans.map((plan) => draft(files, plan));
}

function drawn(files: WorkspaceFiles, dialect: Dialect, seed: number): readonly MutationPlan[] {
  const random = randomFrom(seed);
  const sources = Object.keys(files).filter((path) => path.endsWith(dialect.extension) && files[path] !== '');
  const declarations = sources.flatMap((path) =>
    [...(files[path] ?? '').matchAll(dialect.declaration)].map(([text, before = '', name = '']) => ({
      path,
      text,
      before,
      name,
    })),
  );
  return [
    ...pick(sources, 5, random).map(
      (path): MutationPlan => [`a comment in ${path}`, 'comment-only', above(files, path, dialect, 1)],
    ),
    ...dialect.flawed.map((path): MutationPlan => {
      const lines = 1 + Math.floor(random() * 9);
      return [`${lines} lines above the error in ${path}`, 'move-error', above(files, path, dialect, lines)];
    }),
    ...pick(declarations, 8, random).map(
      ({ path, text, before, name }): MutationPlan => [
        `${name} is no longer for others (${path})`,
        'remove-export',
        { edit: path, replace: text, with: dialect.hidden(before, name) },
      ],
    ),
    ...pick(declarations, 6, random).map(
      ({ path, text, before, name }): MutationPlan => [
        `${name} is renamed where it is declared (${path})`,
        'rename-symbol',
        { edit: path, replace: text, with: `${before}${name}2` },
      ],
    ),
    ...pick(sources, 4, random).map(
      (path): MutationPlan => [`${path} is deleted`, 'delete-file', { remove: path }],
    ),
    ...pick(sources, 3, random).map(
      (path): MutationPlan => [
        `${path} is renamed`,
        'rename-file',
        { rename: path, to: path.replace(dialect.extension, `_moved${dialect.extension}`) },
      ],
    ),
    ...pick(
      sources.filter((path) => !files[path]?.includes('\r')),
      3,
      random,
    ).map(
      (path): MutationPlan => [
        `carriage returns in ${path}`,
        'line-ends',
        { write: path, text: withCarriageReturns(files[path] ?? '') },
      ],
    ),
  ];
}

/** Comment lines at the top of a file, ended the way the file ends its lines. */
function above(files: WorkspaceFiles, path: string, dialect: Dialect, lines: number): Stroke {
  const text = files[path] ?? '';
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  return { write: path, text: `${dialect.comment} 🎈 a remark${end}`.repeat(lines) + text };
}

function pick<T>(items: readonly T[], count: number, random: () => number): readonly T[] {
  const rest = [...items];
  return Array.from({ length: Math.min(count, rest.length) }, () =>
    rest.splice(Math.floor(random() * rest.length), 1),
  ).flat();
}

/** Mulberry32: a small generator whose whole state is one number. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
