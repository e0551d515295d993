/**
 * Documentation from hover texts, for symbols that no command documents.
 *
 * The symbol is looked up at its declaration, then from a line that names it, which also finds libraries, then by
 * name in the whole workspace.
 *
 * Invariant: nothing is written: the line that names the symbol exists only in an overlay for this question.
 */
import { hoverProbe } from '../../../code/hover-probe.ts';
import { positionOn, type Query, shownText } from '../../../code/query.ts';
import { documentSymbols, flattenSymbols, workspaceSymbols } from '../../../code/symbol.ts';
import { bareName, nameRange } from '../../../code/symbol-name.ts';
import type { WorkspaceView } from '../../../live/workspace-view.ts';
import { hoverText } from '../../../lsp/feature/hover.ts';
import { type LanguageId, languages } from '../../../servers/language.ts';
import { LineIndex } from '../../../text/position.ts';
import { childOf, rootPath, type WorkspacePath } from '../../../workspace/workspace-path.ts';
import type { SymbolDocumentation } from './symbol-documentation.ts';

export interface HoverRequest {
  readonly view: WorkspaceView;
  /** The file in whose scope the symbol is named. */
  readonly path: WorkspacePath | undefined;
  readonly language: LanguageId;
  readonly symbol: string;
}

export async function hoverDocumentation(
  request: HoverRequest,
  signal: AbortSignal,
): Promise<SymbolDocumentation | undefined> {
  const hover =
    (await declaredInFile(request, signal)) ||
    (await whereNamed(request, signal)) ||
    (await declaredAnywhere(request, signal));
  return hover === ''
    ? undefined
    : { source: 'hover', doc: hover, signature: signatureIn(hover, request.symbol) };
}

/** The code block in a hover text that names the symbol; some servers put the module in a block before it. */
function signatureIn(hover: string, symbol: string): string {
  const blocks = [...hover.matchAll(/```[^\n]*\n([\s\S]*?)\n?```/g)].map(([, code = '']) => code.trim());
  return blocks.find((code) => names(code, symbol)) ?? blocks[0] ?? hover.split('\n')[0] ?? '';
}

async function declaredInFile(request: HoverRequest, signal: AbortSignal): Promise<string> {
  const { view, path, language, symbol } = request;
  if (path === undefined) return '';
  await using lease = await view.lease(language, signal);
  await lease.open([path]);
  const query = { lease, workspace: view.workspace };
  const declared = flattenSymbols(await documentSymbols(query, path, signal)).find(
    ({ dottedName, symbol: { name } }) => dottedName === symbol || bareName(name) === symbol,
  );
  if (!declared) return '';
  const place = { path, position: declared.symbol.selectionRange.start };
  return await hoverText(lease.server, positionOn(query, place), signal);
}

async function whereNamed(request: HoverRequest, signal: AbortSignal): Promise<string> {
  const { view, language, symbol } = request;
  const { live } = view;
  const path = request.path ?? unsavedPath(language);
  const content = await view.overlay.read(path);
  const probe = hoverProbe(language, symbol, content?.kind === 'text' ? content.text : '');
  if (!probe) return '';
  const overlay = view.overlay.write(path, { kind: 'text', text: probe.text });
  // Only this document is queried, so it need not exist for other files of the server.
  const plan = {
    ...(await live.servers.planProjection(overlay, { language }, signal)),
    mode: 'buffers' as const,
  };
  await using lease = await live.servers.lease(plan, signal);
  for (const position of probe.positions) {
    const hover = await hoverText(lease.server, { uri: lease.uri(path), position }, signal);
    if (describes(hover, symbol)) return hover;
  }
  return '';
}

async function declaredAnywhere(request: HoverRequest, signal: AbortSignal): Promise<string> {
  const { view, language, symbol } = request;
  await using lease = await view.lease(language, signal);
  const query = { lease, workspace: view.workspace };
  const name = lastName(symbol);
  const container = containerOf(symbol);
  const found = (await workspaceSymbols(query, name, signal)).filter(
    (candidate) =>
      bareName(candidate.name) === name &&
      (container === '' || lastName(candidate.containerName ?? containerOf(candidate.name)) === container),
  );
  for (const { location } of found) {
    if (location.path === undefined) continue;
    const hover = await hoverAtName(query, { path: location.path, range: location.range, name }, signal);
    if (hover !== '') return hover;
  }
  return '';
}

async function hoverAtName(
  query: Query,
  {
    path,
    range,
    name,
  }: { path: WorkspacePath; range: Parameters<typeof nameRange>[1]['range']; name: string },
  signal: AbortSignal,
): Promise<string> {
  await query.lease.open([path]);
  const index = new LineIndex(shownText(query, path) ?? '');
  const { start } = nameRange(index, { name, range, selectionRange: range });
  return hoverText(query.lease.server, positionOn(query, { path, position: start }), signal);
}

/** Servers also answer for names they cannot resolve; such an answer does not describe the symbol. */
function describes(hover: string, symbol: string): boolean {
  const isUnresolved = /(^|[:=] )(\/\*unresolved\*\/ )?(any|Unknown|Unbound)$/.test(
    signatureIn(hover, symbol),
  );
  return names(hover, symbol) && !isUnresolved;
}

function names(text: string, symbol: string): boolean {
  return text.split(/[^\p{L}\p{N}_$]+/u).includes(lastName(symbol));
}

function unsavedPath(language: LanguageId): WorkspacePath {
  return childOf(rootPath, `forerun-documentation.${languages.get(language)?.extensions[0] ?? 'txt'}`);
}

function lastName(symbol: string): string {
  return symbol.split(/\.|::|#|\//).at(-1) ?? symbol;
}

function containerOf(symbol: string): string {
  return symbol.split(/\.|::|#|\//).at(-2) ?? '';
}
