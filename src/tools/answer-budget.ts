/**
 * Limits the length of a list in an answer.
 *
 * Invariant: nothing is omitted silently. A shortened list comes with the total number of items.
 */
import { InvalidArgument } from './failure.ts';
import { whole } from './parameter.ts';

/** The length of an answer in tokens if the caller does not say. */
export const defaultMaxTokens = 8000;

/** The parameter of a tool whose answer can be limited. */
export const budgetInput = {
  max_tokens: whole(
    'Maximum length of the answer in tokens of about four bytes; default: 8000. The answer says what was omitted and how to get it.',
  ).optional(),
};

/** The parameters of a tool that answers with one list. */
export const pagingInput = {
  limit: whole('At most this many items; default: all that fit.').optional(),
  offset: whole('Number of items to skip; default: 0.').optional(),
  ...budgetInput,
};

export interface Budget {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly max_tokens?: number | undefined;
}

/** The part of a list that is in the answer. */
export interface Portion<T> {
  readonly items: readonly T[];
  /** Empty if the list is complete. */
  readonly meta: {
    readonly pagination?: {
      readonly offset: number;
      readonly limit: number;
      readonly total: number;
      readonly more: boolean;
    };
    readonly truncated?: {
      readonly max_tokens: number;
      readonly left_out: number;
      /** The argument of the same call that gets the rest. */
      readonly continue_with: { readonly offset: number };
    };
  };
}

/** Takes the requested page, and of it as many items as fit the budget. */
export function withinBudget<T>(all: readonly T[], budget: Budget): Portion<T> {
  const offset = notNegative('offset', budget.offset) ?? 0;
  const limit = notNegative('limit', budget.limit);
  const maxTokens = notNegative('max_tokens', budget.max_tokens) ?? defaultMaxTokens;
  const page = all.slice(offset, limit === undefined ? undefined : offset + limit);
  const items = fitting(page, maxTokens);
  const more = offset + items.length < all.length;
  const isWhole = items.length === all.length;
  const left_out = page.length - items.length;
  return {
    items,
    meta: {
      ...((!isWhole || limit !== undefined) && {
        pagination: { offset, limit: limit ?? items.length, total: all.length, more },
      }),
      ...(left_out > 0 && {
        truncated: {
          max_tokens: maxTokens,
          left_out,
          continue_with: { offset: offset + items.length },
        },
      }),
    },
  };
}

/** The items that fit, and at least one: otherwise the reader would never reach the end. */
function fitting<T>(page: readonly T[], maxTokens: number): readonly T[] {
  // The brackets, and a comma for every item.
  let bytes = 2;
  let count = 0;
  for (const item of page) {
    const next = bytes + Buffer.byteLength(JSON.stringify(item)) + 1;
    if (next > maxTokens * 4 && count > 0) break;
    bytes = next;
    count += 1;
  }
  return page.slice(0, count);
}

function notNegative(name: string, value: number | undefined): number | undefined {
  if (value !== undefined && value < 0) throw new InvalidArgument(`${name} must be >= 0, got ${value}`);
  return value;
}
