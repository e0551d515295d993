/**
 * An error that clangd reports at an include of a unit, or where a unit uses a template, though it is in a header.
 *
 * Invariants: a finding is at the place that a compiler names, if that is in the workspace. Of each include of a unit
 * clangd reports only the first error, so a second one may be hidden.
 */
import type { Diagnostic, RelatedPlace } from '../../lsp/diagnostic.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';

/** An error at its own place in a file of the workspace. */
export interface IncludedError {
  readonly path: WorkspacePath;
  readonly diagnostic: Diagnostic;
}

/** `pathOf` returns undefined for a URI outside the workspace. */
type PathOf = (uri: string) => WorkspacePath | undefined;

/** Where the error is; undefined if it is where the server reports it, or at no place of the workspace. */
export function includedError(diagnostic: Diagnostic, pathOf: PathOf): IncludedError | undefined {
  const prefix = prefixes.find((each) => diagnostic.message.startsWith(each));
  const { related = [] } = diagnostic;
  const [place] = related;
  if (prefix === undefined || place === undefined || !isErrorPlace(place)) return undefined;
  const found = [place, ...related.filter(isRequest)].flatMap((each) => {
    const path = pathOf(each.uri);
    return path === undefined ? [] : [{ path, range: each.range }];
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const message = diagnostic.message.slice(prefix.length);
  const shown = {
    ...diagnostic,
    range: first.range,
    message: message.charAt(0).toUpperCase() + message.slice(1),
    related: related.slice(1),
  };
  return { path: first.path, diagnostic: shown };
}

/** Whether it is reported at an include, where it hides the next ones. */
export function hidesOthers({ message }: Diagnostic): boolean {
  return message.startsWith(includedPrefix);
}

const includedPrefix = 'In included file: ';

const prefixes = [includedPrefix, 'In template: '];

function isErrorPlace({ message }: RelatedPlace): boolean {
  return /^error occurred here$/i.test(message);
}

/** An instantiation of a template of a library: the place of the workspace that is nearest to the error. */
function isRequest({ message }: RelatedPlace): boolean {
  return / (?:requested|required) here$/.test(message);
}
