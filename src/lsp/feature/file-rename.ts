/**
 * What a server changes because files get other names, such as the imports that lead to them.
 *
 * Invariant: a server is asked before the files move, and only about files that its filters name. The edit is returned
 * as the server sent it, in the server's columns: all edits are parsed in `overlay/`.
 */
import picomatch from 'picomatch';
import { isRecord, itemsOf } from '../../base/record.ts';
import type { LanguageServer } from '../language-server.ts';
import { request } from './internal/request.ts';

export interface FileRename {
  readonly oldUri: string;
  readonly newUri: string;
}

const method = 'workspace/willRenameFiles';

/** Undefined if the server does not ask to be told of such renames, or changes nothing. */
export async function willRenameFiles(
  server: LanguageServer,
  files: readonly FileRename[],
  signal: AbortSignal,
): Promise<unknown> {
  const wanted = files.filter(({ oldUri }) => isWanted(server, oldUri));
  if (wanted.length === 0) return undefined;
  return (await request(server, method, { files: [...wanted] }, signal)) ?? undefined;
}

function isWanted({ capabilities }: LanguageServer, uri: string): boolean {
  const { workspace } = capabilities.raw;
  const operations = isRecord(workspace) ? workspace.fileOperations : undefined;
  const announced = isRecord(operations) ? [operations.willRename] : [];
  const registered = capabilities.registrations(method).map(({ options }) => options);
  return [...announced, ...registered].some((options) => renamesMatch(options, uri));
}

/** Whether the options of a server cover a file; a directory is left to the patterns for files in it. */
export function renamesMatch(options: unknown, uri: string): boolean {
  const path = decodeURIComponent(new URL(uri).pathname);
  return itemsOf(isRecord(options) ? options.filters : undefined).some((filter) => {
    const pattern = isRecord(filter) ? filter.pattern : undefined;
    if (!isRecord(filter) || !isRecord(pattern) || typeof pattern.glob !== 'string') return false;
    if (typeof filter.scheme === 'string' && !uri.startsWith(`${filter.scheme}:`)) return false;
    if (pattern.matches === 'folder') return false;
    const nocase = isRecord(pattern.options) && pattern.options.ignoreCase === true;
    return picomatch.isMatch(path, pattern.glob, { dot: true, nocase });
  });
}
