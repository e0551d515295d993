import type { WorkspacePath } from '../../../workspace/workspace-path.ts';
import { directoryOf } from '../reach-family.ts';
import type { Presence, ReachKeys } from './reach-keys.ts';

/**
 * Keys of Python modules: `p:` a path in the workspace, for relative imports; `m:` a dotted name as imports spell it,
 * for which any directory may be the search root; `t:` the tail of one, for workspaces inside the package they belong
 * to.
 *
 * Invariant: an import reaches the packages on its path as well as the module itself.
 */
export class PythonKeys implements ReachKeys {
  *importKeys(from: WorkspacePath, specifiers: readonly string[]): Iterable<string> {
    for (const specifier of specifiers) {
      const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
      const steps = fold(specifier.slice(dots)).split('.').filter(isNotEmpty);
      if (dots > 0) yield* relativeKeys(fold(from), dots, steps);
      else yield* absoluteKeys(steps);
    }
  }

  *fileKeys(path: WorkspacePath, presence: Presence): Iterable<string> {
    const file = fold(path).replace(/\.pyi?$/, '');
    const module = file.replace(/(?:^|\/)__init__$/, '').replace(/-stubs(?=\/|$)/, '');
    yield* moduleKeys(module);
    if (module !== '') yield* moduleKeys(directoryOf(module) === '' ? '*' : `${directoryOf(module)}/*`);
    if (file !== module) yield* moduleKeys(file);
    if (presence === 'stays') return;
    // The first or last file of a directory creates or removes the namespace package of that name.
    for (let directory = directoryOf(file); directory !== ''; directory = directoryOf(directory)) {
      yield* moduleKeys(directory);
    }
  }

  configure(): void {}

  doubt(): undefined {}
}

function* relativeKeys(from: string, dots: number, steps: readonly string[]): Iterable<string> {
  let place = directoryOf(from);
  for (let level = 1; level < dots; level++) place = directoryOf(place);
  if (steps.length === 0) yield `p:${place}`;
  for (const step of steps) {
    place = place === '' ? step : `${place}/${step}`;
    yield `p:${place}`;
  }
}

function* absoluteKeys(steps: readonly string[]): Iterable<string> {
  yield 't:';
  for (let end = 1; end <= steps.length; end++) {
    yield `m:${steps.slice(0, end).join('/')}`;
    for (let start = 1; start < end; start++) yield `t:${steps.slice(start, end).join('/')}`;
  }
}

/** A module has keys for its path and for each tail of it. */
function* moduleKeys(module: string): Iterable<string> {
  yield `p:${module}`;
  yield `t:${module}`;
  for (let tail = module; tail !== ''; ) {
    yield `m:${tail}`;
    const slash = tail.indexOf('/');
    tail = slash < 0 ? '' : tail.slice(slash + 1);
  }
}

function fold(name: string): string {
  return name.toLowerCase();
}

function isNotEmpty(text: string): boolean {
  return text !== '';
}
