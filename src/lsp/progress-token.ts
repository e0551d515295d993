/**
 * Tokens under which a server reports progress, kept apart between those who share the server.
 *
 * Invariant: no two questions to one server carry the same token, and each report goes back under the token its
 * asker chose.
 */
import { isRecord } from '../base/record.ts';

export type ProgressToken = string | number;

/** The parameters of a request with the tokens its asker chose replaced. */
export function renameTokens(params: unknown, rename: (token: ProgressToken) => ProgressToken): unknown {
  if (!isRecord(params)) return params;
  const renamed = tokenNames.flatMap((name) => {
    const token = params[name];
    return isToken(token) ? [[name, rename(token)] as const] : [];
  });
  return renamed.length === 0 ? params : { ...params, ...Object.fromEntries(renamed) };
}

/** What a progress notification is about; undefined when it is none. */
export function progressOf(
  params: unknown,
): { readonly token: ProgressToken; readonly value: unknown } | undefined {
  if (!isRecord(params) || !isToken(params.token)) return undefined;
  return { token: params.token, value: params.value };
}

const tokenNames = ['workDoneToken', 'partialResultToken'] as const;

function isToken(value: unknown): value is ProgressToken {
  return typeof value === 'string' || typeof value === 'number';
}
