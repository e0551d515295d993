/**
 * What the parts of one JavaScript program share.
 *
 * Invariant: a name of the program is a value unless its declaration shows an arrow function or a module of Node's.
 */
import { functions, members, refusedWords, values } from './javascript-names.ts';

/** What an operand is: a value, or something that may only be used in the way its table says. */
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

/** Names the program declares, files it reads, and the loads that are rewritten. */
export class JavaScriptScope {
  readonly paths: string[] = [];
  readonly locals = new Map<string, Operand>();
  readonly replacements: Replacement[] = [];

  /** A JSON file is parsed, never loaded as a module: what a module's name resolves to is up to the workspace. */
  rewrite(code: string): string {
    let text = code;
    for (const { at, end, text: by } of [...this.replacements].sort((a, b) => b.at - a.at)) {
      text = text.slice(0, at) + by + text.slice(end);
    }
    return text;
  }
}

const nodeModules: ReadonlySet<string> = new Set(['fs', 'path', 'os', 'util', 'crypto']);

/** Whether a program may not declare this name. */
export function isReserved(name: string): boolean {
  if (nodeModules.has(name)) return false;
  return refusedWords.has(name) || values.has(name) || functions.has(name) || Object.hasOwn(members, name);
}

/** What a name that the program does not declare stands for. */
export function globalOperand(name: string): Operand | undefined {
  if (values.has(name)) return javaScriptValue;
  if (name === 'require') return { kind: 'require' };
  if (functions.has(name)) return { kind: 'function' };
  return Object.hasOwn(members, name) ? { kind: 'namespace', name } : undefined;
}
