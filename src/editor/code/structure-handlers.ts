/** The structure of files: outline, symbols of the workspace, colours, hints and folds. */
import { messageOf } from '../../base/failure.ts';
import { projectFiles } from '../../code/served-file.ts';
import { type CodeSymbol, documentSymbols, workspaceSymbols } from '../../code/symbol.ts';
import type { LiveWorkspace } from '../../live/live-workspace.ts';
import { foldingRanges } from '../../lsp/feature/folding-range.ts';
import { inlayHints, ownInlayHints } from '../../lsp/feature/inlay-hint.ts';
import { type SemanticToken, semanticTokens } from '../../lsp/feature/semantic-token.ts';
import type { LanguageId } from '../../servers/language.ts';
import { NoServerForFile } from '../../servers/server-register.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { Handlers } from '../editor-feature.ts';
import type { OutlineSymbol } from '../protocol/code.ts';
import type { ResultOf } from '../protocol.ts';
import type { CodeAccess } from './code-access.ts';

type StructureMethod = 'code.outline' | 'code.symbols' | 'code.tokens' | 'code.hints' | 'code.folds';

/** Past the end of every text. */
const wholeFile = { start: { line: 0, character: 0 }, end: { line: 2 ** 31 - 1, character: 0 } };

export function structureHandlers(access: CodeAccess): Handlers<StructureMethod> {
  return {
    'code.outline': (file, _source, signal) =>
      access.ask(file, 'background', signal, async (query, path, joined) => ({
        symbols: (await documentSymbols(query, path, joined)).map(outlineOf),
      })),
    'code.symbols': ({ query, limit }, _source, signal) => findSymbols(access, { query, limit }, signal),
    'code.tokens': ({ range, ...file }, _source, signal) =>
      access.ask(file, 'background', signal, async ({ lease }, path, joined) => {
        const asked = { uri: lease.uri(path), range: range ?? endOf(access, path) };
        return packed(await semanticTokens(lease.server, asked, joined));
      }),
    'code.hints': ({ range, ...file }, _source, signal) =>
      access.ask(file, 'background', signal, async ({ lease }, path, joined) => {
        const uri = lease.uri(path);
        const hints = ownInlayHints(
          lease.server,
          uri,
          await inlayHints(lease.server, { uri, range }, joined),
        );
        return { hints: [...hints] };
      }),
    'code.folds': (file, _source, signal) =>
      access.ask(file, 'background', signal, async ({ lease }, path, joined) => ({
        folds: [...(await foldingRanges(lease.server, lease.uri(path), joined))],
      })),
  };
}

/** A range that holds the whole text; servers refuse lines that do not exist. */
function endOf({ buffers }: CodeAccess, path: WorkspacePath): typeof wholeFile {
  const text = buffers.get(path)?.text;
  if (!text) return wholeFile;
  const last = text.line(text.lines);
  return { start: wholeFile.start, end: { line: text.lines - 1, character: last.length } };
}

function outlineOf({
  name,
  detail,
  kind,
  tags,
  deprecated,
  range,
  selectionRange,
  children,
}: CodeSymbol): OutlineSymbol {
  return {
    name,
    ...(detail !== undefined && { detail }),
    kind,
    isDeprecated: deprecated === true || tags?.includes(1) === true,
    range,
    selectionRange,
    children: children.map(outlineOf),
  };
}

/** Tokens as numbers; the names of types and modifiers once. */
function packed(tokens: readonly SemanticToken[]): Omit<ResultOf<'code.tokens'>, 'version'> {
  const types = [...new Set(tokens.map(({ type }) => type))];
  const modifiers = [...new Set(tokens.flatMap((token) => token.modifiers))].slice(0, 31);
  const typeAt = new Map(types.map((type, index) => [type, index]));
  const data = tokens.flatMap(({ line, character, length, type, modifiers: own }) => {
    const bits = modifiers.reduce((sum, modifier, bit) => (own.includes(modifier) ? sum + 2 ** bit : sum), 0);
    return [line, character, length, typeAt.get(type) ?? 0, bits];
  });
  return { types, modifiers, data };
}

/** Every server that serves an open buffer or runs already; one that fails does not silence the others. */
async function findSymbols(
  access: CodeAccess,
  { query, limit }: { readonly query: string; readonly limit: number },
  signal: AbortSignal,
): Promise<ResultOf<'code.symbols'>> {
  const outcomes = await Promise.allSettled(
    servedLanguages(access).map((language) => symbolsOf(access, { language, query, limit }, signal)),
  );
  signal.throwIfAborted();
  const symbols = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [messageOf(outcome.reason)] : [],
  );
  return { symbols: symbols.slice(0, limit), failures };
}

async function symbolsOf(
  access: CodeAccess,
  {
    language,
    query,
    limit,
  }: { readonly language: LanguageId; readonly query: string; readonly limit: number },
  signal: AbortSignal,
): Promise<ResultOf<'code.symbols'>['symbols']> {
  const { live, servers } = access;
  const { definition } = await live.servers.locate(language, signal);
  const open = definition.quirks.findsUsesEverywhere
    ? []
    : await projectFiles(live.workspace, definition, signal);
  const found = await servers.with({ language, open, urgency: 'answer' }, signal, (leased, joined) =>
    workspaceSymbols(leased, query, joined),
  );
  return Promise.all(
    found.slice(0, limit).map(async ({ name, kind, containerName, location }) => ({
      name,
      kind,
      ...(containerName !== undefined && { container: containerName }),
      location: await access.location(location),
    })),
  );
}

/** One language for each server that has run here; without one, those of the open buffers. */
function servedLanguages({ live, buffers }: CodeAccess): readonly LanguageId[] {
  const byServer = new Map<string, LanguageId>();
  for (const { definition } of live.servers.pools.flatMap(({ served }) => served ?? [])) {
    const [language] = definition.languages;
    if (language !== undefined) byServer.set(definition.name, language);
  }
  if (byServer.size > 0) return [...byServer.values()];
  return [...new Set(buffers.all.flatMap(({ path }) => languageIn(live, path)))];
}

/** None where no server is known for this kind of file. */
function languageIn({ servers }: LiveWorkspace, path: WorkspacePath): readonly LanguageId[] {
  try {
    return [servers.register.languageFor(path)];
  } catch (thrown) {
    if (thrown instanceof NoServerForFile) return [];
    throw thrown;
  }
}
