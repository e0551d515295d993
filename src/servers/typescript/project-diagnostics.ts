/**
 * Converts diagnostics of TypeScript's API to the form of the language server.
 *
 * Invariant: a finding reads the same whether it comes from the server or the API, and however many projects report
 * it.
 */
import type { Diagnostic, DiagnosticTag, RelatedPlace, Severity } from '../../lsp/diagnostic.ts';
import { LineIndex } from '../../text/position.ts';
import type { ApiDiagnostic } from './api-session.ts';

export interface ReadDiagnostics {
  /** The text of the file the diagnostics are about. */
  readonly text: string;
  /** The text of another file, if available. */
  readonly textOf: (file: string) => string | undefined;
  readonly uriOf: (file: string) => string;
}

/** The findings of all projects that contain a file, without duplicates, in the order of the file. */
export function readApiDiagnostics(
  found: readonly ApiDiagnostic[],
  { text, textOf, uriOf }: ReadDiagnostics,
): readonly Diagnostic[] {
  const unique = new Map(found.map((each) => [identityOf(each), each]));
  const inOrder = [...unique.values()].sort((a, b) => a.pos - b.pos || a.end - b.end || a.code - b.code);
  const index = new LineIndex(text);
  const relatedPlaces = ({ relatedInformation = [] }: ApiDiagnostic): readonly RelatedPlace[] =>
    relatedInformation.flatMap((place) => {
      const other = place.fileName === undefined ? undefined : textOf(place.fileName);
      if (place.fileName === undefined || other === undefined) return [];
      return [
        { uri: uriOf(place.fileName), range: rangeIn(new LineIndex(other), place), message: place.text },
      ];
    });
  return inOrder.map((each) => {
    const tags = tagsOf(each);
    const related = relatedPlaces(each);
    return {
      range: rangeIn(index, each),
      severity: severities[each.category] ?? 'error',
      message: messageOf(each),
      source: 'ts',
      code: each.code,
      ...(tags.length > 0 && { tags }),
      ...(related.length > 0 && { related }),
    };
  });
}

function identityOf(each: ApiDiagnostic): string {
  return `${each.pos} ${each.end} ${each.code} ${messageOf(each)}`;
}

/** By the number of the category. */
const severities: readonly Severity[] = ['warning', 'error', 'hint', 'info'];

/** A message chain is printed as by the server: each link on a line of its own, indented below the one it explains. */
function messageOf({ text, messageChain = [] }: ApiDiagnostic, depth = 0): string {
  const own = `${'  '.repeat(depth)}${text}`;
  return [own, ...messageChain.map((link) => messageOf(link, depth + 1))].join('\n');
}

function tagsOf({ reportsUnnecessary, reportsDeprecated }: ApiDiagnostic): readonly DiagnosticTag[] {
  return [
    ...(reportsUnnecessary ? (['unnecessary'] as const) : []),
    ...(reportsDeprecated ? (['deprecated'] as const) : []),
  ];
}

function rangeIn(index: LineIndex, { pos, end }: ApiDiagnostic): Diagnostic['range'] {
  const last = index.text.length;
  const at = (offset: number) => index.positionAt(Math.max(0, Math.min(offset, last)));
  return { start: at(pos), end: at(Math.max(pos, end)) };
}
