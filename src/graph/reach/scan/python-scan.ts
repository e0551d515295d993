import { baseName } from '../../../workspace/workspace-path.ts';
import type { ImportScan } from './imports.ts';

/**
 * Imports of a Python file as dotted names: `from ..a import b` is both `..a` and `..a.b`, since `b` may be
 * a module, and `from a import *` is `a` and `a.*`.
 *
 * Invariant: every import statement counts, however deep it is nested and whatever guards it.
 */
export function scanPython(path: string, text: string): ImportScan {
  const specifiers = new Set<string>();
  const source = text.includes('\\') ? text.replace(/\\\r?\n/g, ' ') : text;
  for (const match of source.matchAll(importPattern)) {
    const [, modules = '', from, inParentheses, plain] = match;
    const imported = from === undefined ? namesIn(modules) : namesFrom(from, inParentheses ?? plain ?? '');
    for (const name of imported) specifiers.add(name);
  }
  return { specifiers: [...specifiers], isGlobal: baseName(path) === '__builtins__.pyi' };
}

/** The module behind `from`, and what is imported from it, which may be modules too. */
function namesFrom(module: string, list: string): readonly string[] {
  const base = module.replace(/\s+/g, '');
  const parent = base.endsWith('.') ? base : `${base}.`;
  return [base, ...namesIn(list).map((name) => parent + name)];
}

/** The names of a list such as `a.b as c, d # why`, without their aliases. */
function namesIn(list: string): string[] {
  return list
    .replace(/#[^\n]*/g, '')
    .split(',')
    .map((name) => name.replace(/\s+as\s[\s\S]*$/, '').replace(/\s+/g, ''))
    .filter((name) => name !== '');
}

/** A statement starts a line, or follows `;` or the colon of a one-line block. */
const importPattern =
  /(?:^|[;:])[ \t\f\uFEFF]*(?:import[ \t]+([^;\n]+)|from(?=[ \t.])([^;\n#]+?)(?<=[ \t.])import(?:[ \t]*\(((?:#[^\n]*|[^)#])*)\)|[ \t]*([^;\n(][^;\n]*)))/gm;
