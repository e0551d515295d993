/**
 * One spelling per file. Servers escape characters we do not (`[id].ts`, `a+b.ts`, drive letters), and a publication
 * stored under another spelling would make a broken file look clean.
 *
 * Invariant: two URIs of the same path have the same canonical form.
 */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isRecord } from '../base/record.ts';

/** The form of `pathToFileURL`; a URI that names no local file is returned unchanged. */
export function canonicalUri(uri: string): string {
  if (plainFileUri.test(uri) || !uri.startsWith('file:')) return uri;
  try {
    return pathToFileURL(fileURLToPath(uri)).href;
  } catch {
    // Not a path on this system (a host name, a broken escape): it can only be compared literally.
    return uri;
  }
}

/** The document of a request's parameters, if there is one. */
export function documentOf(params: unknown): string | undefined {
  const document = isRecord(params) ? params.textDocument : undefined;
  return isRecord(document) && typeof document.uri === 'string' ? document.uri : undefined;
}

/** Most URIs contain nothing that is ever escaped and need no parsing. */
const plainFileUri = /^file:\/\/\/(?:[\w-]|[./](?!\.))*$/;
