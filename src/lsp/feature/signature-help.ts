/**
 * The signatures of the call at a position.
 *
 * Invariant: a parameter is a stretch of its signature's label; one that is not found there is omitted.
 */
import { isRecord, itemsOf } from '../../base/record.ts';
import type { DocumentPosition } from '../document-position.ts';
import type { LanguageServer } from '../language-server.ts';
import { markupText } from './hover.ts';
import { requestAt } from './internal/request.ts';

export interface Signature {
  readonly label: string;
  /** Markdown; empty if there is none. */
  readonly documentation: string;
  readonly parameters: readonly SignatureParameter[];
  /** Which parameter is being written; absent where the server does not say. */
  readonly activeParameter?: number;
}

export interface SignatureParameter {
  /** Where it stands in the label, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  readonly documentation: string;
}

export interface Signatures {
  readonly signatures: readonly Signature[];
  readonly activeSignature: number;
}

/** The signatures of the call at a position, as the server sent them; null if there are none. */
export async function signatureHelp(
  server: LanguageServer,
  at: DocumentPosition,
  signal: AbortSignal,
): Promise<unknown> {
  const question = {
    provider: 'signatureHelpProvider',
    method: 'textDocument/signatureHelp',
    extras: {},
  } as const;
  return (await requestAt(server, question, at, signal)) ?? null;
}

/** An answer in our own type; undefined where it holds no signature. */
export function readSignatures(answer: unknown): Signatures | undefined {
  if (!isRecord(answer)) return undefined;
  const signatures = itemsOf(answer.signatures).flatMap((item) => readSignature(item, answer) ?? []);
  if (signatures.length === 0) return undefined;
  const active = typeof answer.activeSignature === 'number' ? answer.activeSignature : 0;
  return { signatures, activeSignature: Math.min(Math.max(active, 0), signatures.length - 1) };
}

function readSignature(item: unknown, help: Readonly<Record<string, unknown>>): Signature | undefined {
  if (!isRecord(item) || typeof item.label !== 'string') return undefined;
  const { label } = item;
  const active = item.activeParameter ?? help.activeParameter;
  return {
    label,
    documentation: markupText(item.documentation),
    parameters: itemsOf(item.parameters).flatMap((parameter) => readParameter(parameter, label) ?? []),
    ...(typeof active === 'number' && { activeParameter: active }),
  };
}

function readParameter(parameter: unknown, signature: string): SignatureParameter | undefined {
  if (!isRecord(parameter)) return undefined;
  const { label } = parameter;
  const documentation = markupText(parameter.documentation);
  if (typeof label === 'string') {
    const from = signature.indexOf(label);
    return from < 0 ? undefined : { from, to: from + label.length, documentation };
  }
  const [from, to] = itemsOf(label);
  return typeof from === 'number' && typeof to === 'number' ? { from, to, documentation } : undefined;
}
