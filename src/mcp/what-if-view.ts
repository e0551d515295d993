/**
 * The card of a change in the chat of clients that show views of the extension MCP Apps.
 *
 * Invariant: a client that has not declared the extension gets the listing and the results it would get without it.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadResourceResult, Resource, Server } from '@modelcontextprotocol/server';
import { isMissing } from '../base/errno.ts';
import { Failure } from '../base/failure.ts';
import { packageRoot } from '../host/package-root.ts';
import type { ToolResult } from '../tools/tool-result.ts';
import { cardOf } from '../tools/what-if/card-content.ts';
import { cardKey, cardUri } from '../tools/what-if/what-if-card.ts';

/** The name under which clients declare the extension. */
const extension = 'io.modelcontextprotocol/ui';
const mimeType = 'text/html;profile=mcp-app';

/** The tools whose results are shown as a card. */
const shownTools: ReadonlySet<string> = new Set([
  'preview_edit',
  'evaluate_session',
  'compare_sessions',
  'commit_session',
]);

export function showsCards(server: Server): boolean {
  const declared = server.getClientCapabilities()?.extensions?.[extension];
  if (declared === undefined) return false;
  const { mimeTypes } = declared;
  return !Array.isArray(mimeTypes) || mimeTypes.includes(mimeType);
}

/** What the listing of a tool says of its card; older hosts read the second form. */
export function cardLink(tool: string): Readonly<Record<string, unknown>> | undefined {
  return shownTools.has(tool) ? { ui: { resourceUri: cardUri }, 'ui/resourceUri': cardUri } : undefined;
}

/** The card of a result, as it stands beside the text. */
export async function cardMeta({ whatIf }: ToolResult): Promise<Record<string, unknown> | undefined> {
  return whatIf && { [cardKey]: await cardOf(whatIf) };
}

export const cardResource: Resource = {
  uri: cardUri,
  name: 'What if',
  description: 'A change that is not on disk: diff, verdict and what can be done with it.',
  mimeType,
};

/** The page of the card: one file without anything to load. */
export async function readCardPage(): Promise<ReadResourceResult> {
  const file = join(packageRoot(), 'dist', 'card', 'what-if.html');
  try {
    const text = await readFile(file, 'utf8');
    return { contents: [{ uri: cardUri, mimeType, text, _meta: { ui: { prefersBorder: false } } }] };
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
    throw new CardNotBuilt(file, { cause: thrown });
  }
}

class CardNotBuilt extends Failure {
  readonly code = 'mcp/card-not-built';
  readonly remedy = 'Run npm run build, or install the package again.';

  constructor(file: string, options: ErrorOptions) {
    super(`the card is not built: ${file} does not exist`, options);
  }
}
