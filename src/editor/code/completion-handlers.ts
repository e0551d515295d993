/**
 * Completions, and the rest of an item when it is chosen.
 *
 * Invariant: items as the server sent them are kept here for the last lists, since a server completes only its own; the
 * page knows them by list and index.
 */
import {
  bestCompletions,
  type CompletionItem,
  completions,
  resolvedCompletion,
} from '../../lsp/feature/completion.ts';
import { type CompletionOffer, completionOffer } from '../../lsp/feature/completion-offer.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { UnknownPlan } from '../editor-failure.ts';
import type { Handlers } from '../editor-feature.ts';
import type { ParamsOf, ResultOf } from '../protocol.ts';
import type { CodeAccess } from './code-access.ts';
import { KeptAnswers } from './kept-answers.ts';

type CompletionMethod = 'code.complete' | 'code.resolveCompletion';

interface KeptList {
  readonly path: WorkspacePath;
  readonly items: readonly CompletionItem[];
}

/** More than anybody scrolls through; the page asks again as the word grows. */
const mostItems = 300;

export function completionHandlers(access: CodeAccess): Handlers<CompletionMethod> {
  const kept = new KeptAnswers<KeptList>('list', 16);
  return {
    'code.complete': ({ position, typed, ...file }, _source, signal) =>
      access.ask(file, 'answer', signal, async ({ lease }, path, joined) => {
        const uri = lease.uri(path);
        const asked = { uri, position, ...(typed !== undefined && { typed }) };
        const all = await completions(lease.server, asked, joined);
        const best = bestCompletions(all, wordBefore(access, path, position), mostItems);
        const shown = best.items.flatMap((item) => {
          const offer = completionOffer(lease.server, uri, item);
          return offer ? [{ item, offer }] : [];
        });
        const list = kept.keep({ path, items: shown.map(({ item }) => item) });
        return { list, isIncomplete: best.isIncomplete, items: shown.map(({ offer }) => wireItem(offer)) };
      }),
    'code.resolveCompletion': (params, _source, signal) => resolve(access, kept, params, signal),
  };
}

function resolve(
  access: CodeAccess,
  kept: KeptAnswers<KeptList>,
  { list, index }: ParamsOf<'code.resolveCompletion'>,
  signal: AbortSignal,
): Promise<ResultOf<'code.resolveCompletion'>> {
  const { path, items } = kept.get(list);
  const item = items[index];
  if (!item) throw new UnknownPlan(`item ${index} of ${list}`);
  return access.ask({ path }, 'answer', signal, async ({ lease }, _path, joined) => {
    const resolved = await resolvedCompletion(lease.server, item, joined);
    const offer = completionOffer(lease.server, lease.uri(path), { ...item, ...resolved });
    const detail = offer?.detail;
    return {
      ...(detail !== undefined && { detail }),
      documentation: offer?.documentation ?? '',
      edits: [...(offer?.additionalEdits ?? [])],
    };
  });
}

function wireItem({ documentation: _documentation, additionalEdits: _edits, ...offer }: CompletionOffer) {
  return offer;
}

function wordBefore(
  { buffers }: CodeAccess,
  path: WorkspacePath,
  { line, character }: { readonly line: number; readonly character: number },
): string {
  const text = buffers.get(path)?.text;
  if (!text || line >= text.lines) return '';
  return /[\p{L}\p{N}_$]*$/u.exec(text.line(line + 1).text.slice(0, character))?.[0] ?? '';
}
