/**
 * Progress tokens of clients that share one server.
 *
 * Invariant: no two requests to one server have the same token, and each report is sent back under the token its
 * client chose.
 */
import { isRecord } from '../base/record.ts';

export type ProgressToken = string | number;

/** The parameters of a request with the client's tokens replaced. */
export function renameTokens(params: unknown, rename: (token: ProgressToken) => ProgressToken): unknown {
  if (!isRecord(params)) return params;
  const renamed = tokenNames.flatMap((name) => {
    const token = params[name];
    return isToken(token) ? [[name, rename(token)] as const] : [];
  });
  return renamed.length === 0 ? params : { ...params, ...Object.fromEntries(renamed) };
}

/** The token of a progress notification; undefined if it is another message. */
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
