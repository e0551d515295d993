/**
 * Findings that repeat another one elsewhere: clangd reports an error of a header again at each `#include` that leads to it,
 * where the compiler reports it once.
 *
 * Invariant: a finding is left out only if the one it repeats is in the list: same code, its message within this one's, and
 * named by this one as its place.
 */
import { fromFileUri } from '../workspace/file-uri.ts';
import type { Finding } from './evaluation.ts';

export function withoutRepetitions(findings: readonly Finding[]): readonly Finding[] {
  const byMessage = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = finding.diagnostic.message.toLowerCase();
    byMessage.set(key, [...(byMessage.get(key) ?? []), finding]);
  }
  return findings.filter((finding) => {
    const { message } = finding.diagnostic;
    // "In included file: out-of-line definition …" repeats "Out-of-line definition …".
    const repeated = message.slice(message.indexOf(': ') + 2).toLowerCase();
    return !byMessage.get(repeated)?.some((original) => isRepeatedBy(finding, original));
  });
}

function isRepeatedBy(
  { diagnostic: { code, related = [] } }: Finding,
  { path, diagnostic }: Finding,
): boolean {
  return (
    diagnostic.code === code &&
    related.some(
      ({ uri, range }) =>
        fromFileUri(uri)?.endsWith(`/${path}`) === true && range.start.line === diagnostic.range.start.line,
    )
  );
}
