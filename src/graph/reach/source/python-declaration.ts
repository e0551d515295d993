/**
 * The names that one logical line of Python declares.
 *
 * Invariant: a name that the line gives a value is never left out; one that it only reads may be included.
 */
import { wordsIn } from './python-block.ts';

export interface ImportedName {
  readonly module: string;
  /** What is imported from the module; undefined for the module itself. */
  readonly name?: string;
  /** The name it gets here, or `*`. */
  readonly binds: string;
}

/** The imports of a line, which may hold several. */
export function pythonImports(line: string): readonly ImportedName[] {
  if (!/^(?:from|import)\b/.test(line)) return [];
  const code = line.replace(/#[^\n]*/g, '');
  const [, from, items] = /^from\s+([.\w\u0080-\uffff]+)\s+import\s*\(?([^)]*)/s.exec(code) ?? [];
  if (from !== undefined && items !== undefined) {
    return partsOf(items).map(({ name, alias }) => ({ module: from, name, binds: alias ?? name }));
  }
  const [, modules] = /^import\s+(.*)$/s.exec(code) ?? [];
  return partsOf(modules ?? '').map(({ name, alias }) => ({
    module: name,
    binds: alias ?? name.split('.')[0] ?? name,
  }));
}

/** The names that an assignment, a loop or another statement binds or narrows. */
export function pythonNames(code: string): readonly string[] {
  const named = [...code.matchAll(/([\w\u0080-\uffff]+)\s*:=/g)].map(([, name = '']) => name);
  // A comment for a type checker may hold quotes.
  if (/^(?:assert|global|nonlocal|del)\b|#/.test(code)) return [...named, ...wordsIn(code)];
  const targets = targetsOf(code).map((target) => target.replace(/:.*$/s, ''));
  const alone = /^[\w\u0080-\uffff]+\s*:(?!=)/.test(code) ? [code.slice(0, code.indexOf(':'))] : [];
  return [...named, ...[...targets, ...alone].flatMap((target) => wordsIn(withoutIndexes(target)))];
}

/** The attributes, and the names of other scopes, that a line in a function assigns. */
export function attributeTargets(code: string): readonly string[] {
  if (/^(?:global|nonlocal)\b|#/.test(code)) return wordsIn(code);
  const places = [
    ...targetsOf(code),
    ...[...code.matchAll(/\bfor\s(.*?)\sin\b/gs)].map(([, target = '']) => target),
    ...[...code.matchAll(/\sas\s([^,:]*)/g)].map(([, target = '']) => target),
  ];
  return places.flatMap((place) =>
    [...place.matchAll(/\.\s*([\w\u0080-\uffff]+)/g)].map(([, name = '']) => name),
  );
}

/** What stands before each sign of assignment outside brackets. */
function targetsOf(code: string): readonly string[] {
  const targets: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of code.matchAll(tokens)) {
    if ('([{'.includes(token)) depth += 1;
    else if (')]}'.includes(token)) depth -= 1;
    else if (depth === 0 && isAssignment(token)) {
      targets.push(code.slice(start, index));
      start = index + token.length;
    }
  }
  return targets;
}

/** Strings, brackets, and runs of signs that contain an equals sign. */
const tokens =
  /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()[\]{}]|[-+*/%@&|^<>!:=]*=/g;

function isAssignment(token: string): boolean {
  return token.endsWith('=') && !['==', '!=', '<=', '>=', ':='].includes(token);
}

/** An item that is assigned declares nothing by its index. */
function withoutIndexes(target: string): string {
  return target.replace(/(?<=[\w\])])\s*\[[^\]]*\]/g, '');
}

function partsOf(items: string): readonly { readonly name: string; readonly alias?: string }[] {
  return items.split(',').flatMap((item) => {
    const [name = '', as, alias] = item.trim().split(/\s+/);
    if (name === '') return [];
    return [as === 'as' && alias !== undefined ? { name, alias } : { name }];
  });
}
