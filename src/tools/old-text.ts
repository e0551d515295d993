/** Refusals of a quoted replacement, with the parameter names of the editing tools. */

import { unreachable } from '../base/unreachable.ts';
import { type Quote, replaceQuoted } from '../text/quoted-replacement.ts';
import { InvalidArgument } from './failure.ts';

export type Replacement =
  | { readonly kind: 'replaced'; readonly text: string }
  | { readonly kind: 'not-found' };

export function replaceQuote(text: string, quote: Quote): Replacement {
  const outcome = replaceQuoted(text, quote);
  switch (outcome.kind) {
    case 'replaced':
    case 'not-found':
      return outcome;
    case 'ambiguous':
      throw new InvalidArgument(
        `old_text is ambiguous: it occurs ${outcome.count} times`,
        'Quote more of the surrounding text, or set occurrence (from 1) or replace_all.',
      );
    case 'no-such-occurrence':
      throw new InvalidArgument(
        `occurrence ${outcome.occurrence} does not exist: old_text occurs ${outcome.count} time(s)`,
      );
    default:
      return unreachable(outcome);
  }
}
