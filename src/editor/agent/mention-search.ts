/** What `@` in the prompt may mean: files and symbols of the workspace. */
import { z } from 'zod';
import type { Connection } from '../../host/connection.ts';
import { fromFileUri, type Workspace } from '../../workspace/workspace.ts';
import type { AgentMention } from '../protocol/agent.ts';

export interface MentionParts {
  readonly connection: Connection;
  readonly workspace: Workspace;
  /** Paths that fit a query, best first. */
  readonly findFiles: (query: string, limit: number, signal: AbortSignal) => Promise<readonly string[]>;
}

const mostFiles = 8;
const mostSymbols = 8;

/** Files first; symbols only for a name, since there are too many to list them all. */
export async function searchMentions(
  { connection, workspace, findFiles }: MentionParts,
  query: string,
  signal: AbortSignal,
): Promise<readonly AgentMention[]> {
  const files = await findFiles(query, mostFiles, signal);
  const mentions: AgentMention[] = files.map((path) => ({ kind: 'file', path }));
  if (query.length < 2 || query.includes('/')) return mentions;
  const answer = await connection.call({ name: 'find_symbol', arguments: { query } }, signal);
  if (answer.isError || answer.payload.kind !== 'json') return mentions;
  for (const found of z.array(foundSymbol).catch([]).parse(answer.payload.value).slice(0, mostSymbols)) {
    const path = await pathOf(workspace, found.location.uri);
    if (path === undefined) continue;
    mentions.push({ kind: 'symbol', path, name: found.name, line: found.location.range.start.line });
  }
  return mentions;
}

const foundSymbol = z.object({
  name: z.string(),
  location: z.object({ uri: z.string(), range: z.object({ start: z.object({ line: z.number().int() }) }) }),
});

/** Undefined for a symbol outside the workspace. */
async function pathOf(workspace: Workspace, uri: string): Promise<string | undefined> {
  const absolute = fromFileUri(uri);
  if (absolute === undefined) return undefined;
  try {
    return await workspace.resolve(absolute);
  } catch {
    return undefined;
  }
}
