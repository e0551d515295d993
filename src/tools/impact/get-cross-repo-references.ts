/** Finds the uses of a library symbol in the library and in the repositories that consume it. */

import { z } from 'zod';
import { messageOf } from '../../base/failure.ts';
import { type CodeLocation, references } from '../../code/location.ts';
import { type Place, shownText } from '../../code/query.ts';
import { settledAnswer } from '../../code/readiness.ts';
import { identifierAt } from '../../code/symbol-name.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import { LineIndex } from '../../text/position.ts';
import { budgetInput } from '../answer-budget.ts';
import { proofOf } from '../answer-proof.ts';
import { InvalidArgument } from '../failure.ts';
import { formattedLocation } from '../formatted-location.ts';
import { word } from '../parameter.ts';
import { positionInput } from '../position-input.ts';
import { atPlace, type ReadyQuery } from '../read-file-tool.ts';
import { defineTool, type Tool } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { jsonResult } from '../tool-result.ts';
import { type Consumer, ConsumerDocuments, consumerOf } from './consumer.ts';

export const getCrossRepoReferences: Tool = defineTool({
  name: 'get_cross_repo_references',
  title: 'Get Cross-Repo References',
  effect: 'reads',
  description:
    'Every use of a library symbol, in the library and in the repositories that consume it. Lines and columns start at 1.',
  input: z.object({
    symbol_file: word('Absolute path of the file that declares the symbol.'),
    ...positionInput,
    consumer_roots: z.array(word('Absolute path of a repository.')).describe('The repositories to search.'),
    language_id: word('Language of a file whose name does not show it.').optional(),
    ...budgetInput,
  }),
  async handle(context, input, signal) {
    if (input.consumer_roots.length === 0) {
      throw new InvalidArgument(
        'consumer_roots must be non-empty; use find_references for single-repo lookup',
        'Name at least one repository.',
      );
    }
    const file = { ...input, file_path: input.symbol_file };
    return atPlace(context, file, signal, async (query, place, view) => {
      const warnings: string[] = [];
      const consumers = await addConsumers(context, { view, roots: input.consumer_roots, warnings }, signal);
      const { symbol, found, indexed } = await usesIn(query, { place, view, consumers, warnings }, signal);
      return jsonResult({
        symbol,
        ...partitioned(found, consumers, input.consumer_roots),
        warnings,
        indexed,
      });
    });
  },
});

/** A root that cannot be added is reported; the others are still searched. */
async function addConsumers(
  context: ToolContext,
  {
    view,
    roots,
    warnings,
  }: { readonly view: WorkspaceView; readonly roots: readonly string[]; readonly warnings: string[] },
  signal: AbortSignal,
): Promise<readonly Consumer[]> {
  const consumers: Consumer[] = [];
  for (const named of roots) {
    try {
      const workspace = await context.workspaces.locator.locate(named);
      await view.live.folders.add(workspace, context.log, signal);
      consumers.push({ named, workspace });
    } catch (thrown) {
      signal.throwIfAborted();
      warnings.push(`${named}: ${messageOf(thrown)}`);
    }
  }
  return consumers;
}

interface Search {
  readonly place: Place;
  readonly view: WorkspaceView;
  readonly consumers: readonly Consumer[];
  readonly warnings: string[];
}

async function usesIn(
  query: ReadyQuery,
  { place, view, consumers, warnings }: Search,
  signal: AbortSignal,
): Promise<{ readonly symbol: string; readonly found: readonly CodeLocation[]; readonly indexed: boolean }> {
  const { live } = view;
  const text = shownText(query, place.path) ?? '';
  const symbol = identifierAt(new LineIndex(text), place.position) ?? '';
  const { definition } = await live.servers.locate(live.languageFor(place.path), signal);
  query.lease.server.setAddedFolders(live.folders.wireAdded);
  using documents = new ConsumerDocuments(query.lease);
  for (const consumer of consumers) await documents.open(consumer, { name: symbol, definition }, signal);
  if (documents.leftOut > 0)
    warnings.push(`${documents.leftOut} file(s) that may contain uses were not searched`);
  const ask = () => references(query, place, { includeDeclaration: false }, signal);
  const { answer, readiness } = await settledAnswer(
    query,
    { timeoutMs: live.servers.readyTimeoutMs, ask },
    signal,
  );
  const { indexed } = proofOf(query, { readiness, paths: [place.path] });
  return { symbol, found: answer, indexed };
}

function partitioned(
  found: readonly CodeLocation[],
  consumers: readonly Consumer[],
  roots: readonly string[],
): Readonly<Record<string, unknown>> {
  const uses = found.map((location) => {
    const { file, line, column } = formattedLocation(location);
    return { file, line, column, repo: consumerOf(consumers, location.uri)?.named ?? 'primary' };
  });
  const of = (repo: string) =>
    uses.filter((use) => use.repo === repo).map(({ file, line, column }) => ({ file, line, column }));
  const repositories = new Set(uses.map((use) => use.repo)).size;
  return {
    references: uses,
    summary: `Found ${uses.length} references across ${repositories} repos.`,
    library_references: of('primary'),
    consumer_references: Object.fromEntries(roots.map((root) => [root, of(root)])),
  };
}
