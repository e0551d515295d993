/**
 * Translates document versions inside messages for another connection about the same documents.
 *
 * Invariant: a version without a counterpart becomes null, which the protocol reads as unknown; values that belong to
 * a server (`data`, the arguments of a command) are passed unchanged.
 */
import { isRecord } from '../base/record.ts';

/** The other connection's version for the text that has `version` here. */
export type VersionOf = (uri: string, version: number) => number | undefined;

/** The same value with every version of a document translated. */
export function translateVersions(value: unknown, versionOf: VersionOf): unknown {
  if (Array.isArray(value)) return value.map((item) => translateVersions(item, versionOf));
  if (!isRecord(value)) return value;
  const { uri, version } = value;
  const isAboutDocument = typeof uri === 'string' && typeof version === 'number';
  const translated: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    translated[name] = opaque.has(name) ? member : translateVersions(member, versionOf);
  }
  if (isAboutDocument) translated.version = versionOf(uri, version) ?? null;
  return translated;
}

const opaque: ReadonlySet<string> = new Set(['data', 'arguments']);

/** A publication for the other connection; undefined if it is about a text that the other side does not have. */
export function translatePublication(params: unknown, versionOf: VersionOf): unknown {
  if (!isRecord(params)) return undefined;
  const { uri, version } = params;
  // Without a version it is unknown which text it is about.
  if (typeof uri !== 'string' || typeof version !== 'number') return undefined;
  const known = versionOf(uri, version);
  return known === undefined ? undefined : { ...params, version: known };
}
