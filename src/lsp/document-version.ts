/**
 * Versions of documents inside answers, put into the terms of another conversation about the same documents.
 *
 * Invariant: a version that has no counterpart is answered as null, which the protocol reads as unknown; what is a
 * server's own (`data`, the arguments of a command) comes back to it as it went out.
 */
import { isRecord } from '../base/record.ts';

/** The version by which the other side knows the text that `version` stands for here. */
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

/** A publication as seen from the other side; undefined when it is about a text the other side does not know. */
export function translatePublication(params: unknown, versionOf: VersionOf): unknown {
  if (!isRecord(params)) return undefined;
  const { uri, version } = params;
  // Without a version nobody can say which text it is about.
  if (typeof uri !== 'string' || typeof version !== 'number') return undefined;
  const known = versionOf(uri, version);
  return known === undefined ? undefined : { ...params, version: known };
}
