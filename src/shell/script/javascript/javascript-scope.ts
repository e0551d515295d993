/**
 * The state shared by the checks of one JavaScript program.
 *
 * Invariant: a name of the program is a value unless its declaration shows an arrow function or a module of Node.
 */
import { javascriptGuard } from './javascript-guard.ts';
import type { JavaScriptListing } from './javascript-listing.ts';
import { functions, members, refusedWords, values } from './javascript-names.ts';

/** The kind of an operand: a value, or something that may only be used as its table says. */
export type Operand =
  | { readonly kind: 'value' | 'arrow' | 'function' | 'require' }
  | { readonly kind: 'namespace'; readonly name: string }
  | { readonly kind: 'member'; readonly name: string; readonly member: string };

export const javaScriptValue: Operand = { kind: 'value' };

interface Replacement {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

/** The declared names, the files that are read, and the loads that are rewritten. */
export class JavaScriptScope {
  readonly paths: string[] = [];
  readonly locals = new Map<string, Operand>();
  readonly replacements: Replacement[] = [];
  /** The directory in which each variable of a listing was listed. */
  listing: JavaScriptListing = new Map();

  /** A JSON file is parsed, never loaded as a module: the workspace decides what a module name resolves to. */
  rewrite(code: string): string {
    let text = code;
    for (const { at, end, text: by } of [...this.replacements].sort((a, b) => b.at - a.at)) {
      text = text.slice(0, at) + by + text.slice(end);
    }
    return javascriptGuard({ directories: this.listing.values(), files: this.paths }) + text;
  }
}

const nodeModules: ReadonlySet<string> = new Set([
  'fs',
  'path',
  'os',
  'util',
  'crypto',
  'url',
  'zlib',
  'querystring',
]);

/** Whether a program may not declare this name. */
export function isReserved(name: string): boolean {
  if (nodeModules.has(name)) return false;
  return refusedWords.has(name) || values.has(name) || functions.has(name) || Object.hasOwn(members, name);
}

/** The meaning of a name that the program does not declare. */
export function globalOperand(name: string): Operand | undefined {
  if (values.has(name)) return javaScriptValue;
  if (name === 'require') return { kind: 'require' };
  if (functions.has(name)) return { kind: 'function' };
  return Object.hasOwn(members, name) ? { kind: 'namespace', name } : undefined;
}
