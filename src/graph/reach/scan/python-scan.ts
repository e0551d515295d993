import { baseName } from '../reach-family.ts';
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
    const [, modules, from, inParentheses, plain] = match;
    if (from === undefined) for (const name of namesIn(modules ?? '')) specifiers.add(name);
    else {
      const base = from.replace(/\s+/g, '');
      const parent = base.endsWith('.') ? base : `${base}.`;
      specifiers.add(base);
      for (const name of namesIn(inParentheses ?? plain ?? '')) specifiers.add(parent + name);
    }
  }
  return { specifiers: [...specifiers], isGlobal: baseName(path) === '__builtins__.pyi' };
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
