/**
 * Classifies error responses of providers by status and text.
 *
 * Invariant: the key is never part of a message, even if the provider repeats it.
 */
import { isJsonObject, type JsonValue, parseJson } from './json-value.ts';
import {
  BadKey,
  ContextTooLong,
  type ModelFailure,
  NoCredit,
  Overloaded,
  ProviderFailed,
  RequestRefused,
  ToolsUnsupported,
  UnknownModel,
} from './model-failure.ts';
import { excerpt } from './stream-reader.ts';

export interface Refusal {
  /** The provider's displayed name. */
  readonly title: string;
  readonly model: string;
  /** The status; undefined if an answer failed after a good status. */
  readonly status: number | undefined;
  readonly body: string;
  readonly retryAfterMs: number | undefined;
  readonly key: KeyInUse;
}

/** Where users set the key, and the key itself, which is never repeated; either may be unknown. */
export interface KeyInUse {
  readonly variable: string | undefined;
  readonly secret: string | undefined;
}

export function failureOf(refusal: Refusal): ModelFailure {
  const reported = reportedIn(refusal.body);
  const status = refusal.status ?? reported.status;
  const words = withoutSecret(reported.message, refusal.key.secret);
  const says = `${refusal.title} says: ${excerpt(words) || `status ${status ?? 'unknown'}`}`;
  const rule = rules.find(({ statuses, kinds, wording }) => {
    const isKind = reported.kinds.some((kind) => kinds?.includes(kind) === true);
    return isKind || (status !== undefined && statuses?.includes(status)) || wording?.test(reported.message);
  });
  if (rule) return rule.failure(says, refusal);
  const isOurs = status !== undefined && status >= 300 && status < 500;
  return isOurs ? new RequestRefused(says) : new ProviderFailed(says);
}

interface RefusalRule {
  readonly statuses?: readonly number[];
  readonly kinds?: readonly string[];
  readonly wording?: RegExp;
  readonly failure: (says: string, refusal: Refusal) => ModelFailure;
}

/** The first match counts: the text says more than the status. */
const rules: readonly RefusalRule[] = [
  {
    statuses: [413],
    kinds: ['context_length_exceeded', 'exceed_context_size_error', 'request_too_large'],
    wording:
      /prompt is too long|context (length|size|window) (of|is|has been )?exceed|exceeds? the (available |model'?s? )?(maximum )?context|maximum context length|longer than the (maximum )?context|input length and .?max_tokens.? exceed/i,
    failure: (says) => new ContextTooLong(says),
  },
  {
    statuses: [402],
    kinds: ['insufficient_quota', 'billing_error', 'enforced_spend_limit_reached'],
    wording: /credit balance is too low|spend(ing)? limit|exceeded your current quota/i,
    failure: (says) => new NoCredit(says),
  },
  {
    wording: /does not support (tools|function)|tool(s| use| calling) (is|are) not supported/i,
    failure: (says) => new ToolsUnsupported(says),
  },
  {
    kinds: ['model_not_found'],
    wording: /model\b.{0,120}\b(not found|does not exist|is not available)|try pulling it/i,
    failure: (says) => new UnknownModel(says),
  },
  {
    statuses: [401, 403],
    kinds: ['authentication_error', 'permission_error', 'invalid_api_key'],
    failure: (says, { key }) => new BadKey(says, key.variable),
  },
  {
    statuses: [404],
    kinds: ['not_found_error'],
    failure: (says, { model }) => new UnknownModel(model === '' ? says : `${says} (asked for ${model})`),
  },
  {
    statuses: [429, 503, 529],
    kinds: ['overloaded_error', 'rate_limit_error', 'rate_limit_exceeded', 'unavailable_error'],
    failure: (says, { retryAfterMs }) => new Overloaded(says, retryAfterMs),
  },
  { kinds: ['invalid_request_error'], failure: (says) => new RequestRefused(says) },
];

interface Reported {
  readonly message: string;
  readonly kinds: readonly string[];
  readonly status: number | undefined;
}

/** Providers wrap errors differently, and some wrap another provider's response as text. */
function reportedIn(body: string): Reported {
  const value = parseJson(body);
  if (!isJsonObject(value)) return { message: body, kinds: [], status: undefined };
  const error = value.error ?? value;
  if (typeof error === 'string') {
    const inner = error.trimStart().startsWith('{') ? reportedIn(error) : undefined;
    return inner ?? { message: error, kinds: [], status: undefined };
  }
  if (!isJsonObject(error)) return { message: body, kinds: [], status: undefined };
  const details = isJsonObject(error.details) ? error.details : {};
  const kinds = [error.type, error.code, details.error_code].filter((kind) => typeof kind === 'string');
  const status = [error.code, error.status].find(isStatus);
  const message = error.message;
  return { message: typeof message === 'string' ? message : body, kinds, status };
}

function isStatus(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && value >= 300 && value < 600;
}

/** A server's text without the secret. */
export function withoutSecret(text: string, secret: string | undefined): string {
  return secret ? text.replaceAll(secret, '(key)') : text;
}
