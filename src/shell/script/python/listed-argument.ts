/**
 * Recognises an argument that is the name of a listed file, in one of the ways in which programs write it.
 *
 * Invariant: the directory before a name is the one in which the name was listed.
 */
import type { PythonCursor } from './python-cursor.ts';
import type { PythonScope } from './python-scope.ts';

/** Whether the first argument is a name from a listing, or one joined to its directory. */
export function isListedArgument(cursor: PythonCursor, scope: PythonScope): boolean {
  const text = (ahead: number): string => cursor.after(ahead)?.text ?? '';
  const isEnd = (ahead: number): boolean => text(ahead) === ')' || text(ahead) === ',';
  const kind = scope.listed(text(1));
  if ((kind === 'file' || kind === 'argument') && isEnd(2)) {
    scope.readsArguments ||= kind === 'argument';
    return true;
  }
  const joined = joinedName(cursor, scope);
  if (joined === undefined || !isEnd(joined.length + 1)) return false;
  if (scope.listed(joined.name) !== 'name') return false;
  const { directory } = joined;
  if (directory.kind === 'variable') return scope.listed(directory.text) === 'directory';
  scope.paths.push(directory.text || '.');
  const isSame = (each: string): boolean => each.replace(/\/$/, '') === directory.text.replace(/\/$/, '');
  return scope.directories.some(isSame);
}

/** `os.path.join(directory, name)`, `'directory/' + name` or `f'directory/{name}'` as the first argument. */
function joinedName(cursor: PythonCursor, scope: PythonScope): Joined | undefined {
  const text = (ahead: number): string => cursor.after(ahead)?.text ?? '';
  const literal = (ahead: number): string | undefined => cursor.after(ahead)?.value;
  const isModule = scope.resolve('os')?.kind === 'module';
  const isJoin =
    isModule && ['os', '.', 'path', '.', 'join', '('].every((each, index) => text(index + 1) === each);
  if (isJoin && text(8) === ',' && text(10) === ')') {
    const written = literal(7);
    const directory = written === undefined ? variable(text(7)) : string(written);
    return { directory, name: text(9), length: 10 };
  }
  const prefix = literal(1);
  if (prefix?.endsWith('/') && text(2) === '+')
    return { directory: string(prefix), name: text(3), length: 3 };
  const [, , before = '', name = ''] = /^[fF](['"])([\w./-]*\/)\{(\w+)\}\1$/.exec(text(1)) ?? [];
  return name === '' ? undefined : { directory: string(before), name, length: 1 };
}

/** A name and the directory that is put before it, with the number of their tokens. */
interface Joined {
  readonly directory: { readonly kind: 'variable' | 'string'; readonly text: string };
  readonly name: string;
  readonly length: number;
}

function variable(text: string): Joined['directory'] {
  return { kind: 'variable', text };
}

function string(text: string): Joined['directory'] {
  return { kind: 'string', text };
}
