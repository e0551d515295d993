/**
 * Replaces a quoted piece of a text, with refusals a model can act on.
 *
 * Invariant: only matches of the old text change, and each match as a whole.
 */
import { unreachable } from '../../base/unreachable.ts';
import { replaceQuoted } from '../../text/quoted-replacement.ts';
import { BadCall, NoSuchText, TextNotUnique } from '../failure.ts';

export interface TextReplacement {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
}

export interface ReplacedText {
  readonly text: string;
  readonly count: number;
}

export function replaceText(shown: string, text: string, replacement: TextReplacement): ReplacedText {
  const { old_string: oldText, new_string: newText, replace_all } = replacement;
  if (oldText === '') {
    throw new BadCall('old_string is empty', 'Give the text to replace, or use Write for a whole file.');
  }
  if (oldText === newText) throw new BadCall('old_string and new_string are the same', 'Change new_string.');
  if (loneSurrogate.test(oldText) || loneSurrogate.test(newText)) {
    throw new BadCall(
      'the replacement would split a character',
      'Give whole characters in old_string and new_string.',
    );
  }
  const outcome = replaceQuoted(text, { oldText, newText, which: replace_all === true ? 'all' : undefined });
  switch (outcome.kind) {
    case 'replaced':
      if (outcome.text !== text) return outcome;
      throw new BadCall('new_string is the same as the text it would replace', 'Change new_string.');
    case 'not-found':
      throw new NoSuchText(shown, nearMiss(text, oldText));
    case 'ambiguous':
    case 'no-such-occurrence':
      throw new TextNotUnique(shown, outcome.count);
    default:
      return unreachable(outcome);
  }
}

/** A lone surrogate cannot be written as UTF-8. */
const loneSurrogate = /\p{Surrogate}/u;

/** The most likely cause of a missing match, if one is recognised. */
function nearMiss(text: string, old: string): string {
  const squeezed = (value: string): string => value.replace(/\s+/g, ' ').trim();
  if (/^ *\d+\t/m.test(old)) return '; it seems to begin with a line number, which is not part of the file';
  const wanted = squeezed(old);
  return wanted !== '' && squeezed(text).includes(wanted)
    ? '; only its white space differs from the file'
    : '';
}
