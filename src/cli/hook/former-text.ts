/** The text of a file before an edit that is on disk already, by undoing the edit. */
import { readFile } from 'node:fs/promises';
import { isMissing } from '../../base/errno.ts';
import type { FormerText, ProposedChange } from '../../host/check/proposal-check.ts';
import { replaceQuoted } from '../../text/quoted-replacement.ts';

/** Undefined where the edit cannot be undone without doubt: a text that was replaced as a whole is gone. */
export async function reversedText(
  filePath: string,
  change: ProposedChange | undefined,
): Promise<Pick<FormerText, 'text'> | undefined> {
  if (change?.kind !== 'passages') return undefined;
  const current = await readFile(filePath, 'utf8').catch((thrown: unknown) => {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  });
  let text = current;
  for (const { oldText, newText, which } of change.passages.toReversed()) {
    // A text that occurs where the edit did not put it would be replaced as well.
    if (text === undefined || newText === '' || which === 'all') return undefined;
    const outcome = replaceQuoted(text, { oldText: newText, newText: oldText, which: undefined });
    if (outcome.kind !== 'replaced') return undefined;
    text = outcome.text;
  }
  return { text };
}
