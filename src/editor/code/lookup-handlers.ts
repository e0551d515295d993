/** Questions about a place in a file: what stands there, where it comes from, who uses it. */
import { callItems, type HierarchyItem, incomingCalls, outgoingCalls } from '../../code/hierarchy.ts';
import { definitions, references } from '../../code/location.ts';
import { positionOn } from '../../code/query.ts';
import { highlights } from '../../lsp/feature/highlight.ts';
import { hoverAt } from '../../lsp/feature/hover.ts';
import { readSignatures, signatureHelp } from '../../lsp/feature/signature-help.ts';
import type { Handlers } from '../editor-feature.ts';
import type { ParamsOf, ResultOf } from '../protocol.ts';
import type { CodeAccess } from './code-access.ts';
import type { CodeQuery } from './shared-servers.ts';

type LookupMethod =
  | 'code.hover'
  | 'code.signature'
  | 'code.locate'
  | 'code.references'
  | 'code.highlights'
  | 'code.calls'
  | 'code.outside';

export function lookupHandlers(access: CodeAccess): Handlers<LookupMethod> {
  return {
    'code.hover': ({ position, ...file }, _source, signal) =>
      access.ask(file, 'answer', signal, async ({ lease }, path, joined) => {
        const { text, range } = await hoverAt(lease.server, { uri: lease.uri(path), position }, joined);
        return { markdown: text, ...(range && { range }) };
      }),
    'code.signature': ({ position, ...file }, _source, signal) =>
      access.ask(file, 'answer', signal, async ({ lease }, path, joined) => {
        const help = await signatureHelp(lease.server, { uri: lease.uri(path), position }, joined);
        const found = readSignatures(help);
        const signatures = found?.signatures.map(({ parameters, ...rest }) => ({
          ...rest,
          parameters: [...parameters],
        }));
        return { active: found?.activeSignature ?? 0, signatures: signatures ?? [] };
      }),
    'code.locate': ({ position, kind, ...file }, _source, signal) =>
      access.ask(file, 'answer', signal, async (query, path, joined) => {
        const found = await definitions(query, { path, position }, kind, joined);
        return { locations: await access.locations(found) };
      }),
    'code.references': ({ position, ...file }, _source, signal) =>
      access.ask(file, 'answer', signal, async (query, path, joined) => {
        const found = await references(query, { path, position }, { includeDeclaration: true }, joined);
        return { locations: await access.locations(found), coverage: coverageOf(query) };
      }),
    'code.highlights': ({ position, ...file }, _source, signal) =>
      access.ask(file, 'background', signal, async (query, path, joined) => {
        const found = await highlights(query.lease.server, positionOn(query, { path, position }), joined);
        return {
          highlights: found.map(({ range, kind }) => ({ range, kind: highlightKinds[kind ?? 1] ?? 'text' })),
        };
      }),
    'code.calls': (params, _source, signal) => calls(access, params, signal),
    'code.outside': ({ uri }) => access.outside(uri),
  };
}

const highlightKinds: Readonly<Record<number, 'text' | 'read' | 'write'>> = {
  1: 'text',
  2: 'read',
  3: 'write',
};

/** Whether every file that may hold a use was shown to the server, and why not. */
export function coverageOf({ dependents, readiness, lease }: CodeQuery): {
  isComplete: boolean;
  why?: string;
} {
  const { complete, leftOut, why } = dependents.coverage;
  if (readiness.kind === 'busy')
    return { isComplete: false, why: 'the server is still reading the workspace' };
  if (!complete) return { isComplete: false, why: why ?? `${leftOut} files were not looked at` };
  if (lease.leftOut > 0) return { isComplete: false, why: `${lease.leftOut} files are not loaded` };
  return { isComplete: true };
}

function calls(
  access: CodeAccess,
  { position, direction, ...file }: ParamsOf<'code.calls'>,
  signal: AbortSignal,
): Promise<ResultOf<'code.calls'>> {
  return access.ask(file, 'answer', signal, async (query, path, joined) => {
    const [item] = await callItems(query, { path, position }, joined);
    if (!item) return { isKnown: query.lease.server.capabilities.has('callHierarchyProvider'), calls: [] };
    const ask = direction === 'incoming' ? incomingCalls : outgoingCalls;
    const found = await ask(query, item, joined);
    const shown = await Promise.all(
      (found ?? []).map(async ({ item: other, fromRanges }) => ({
        item: await wireItem(access, other),
        places: await access.locations(
          fromRanges.map((range) => ({ ...(direction === 'incoming' ? other : item), range })),
        ),
      })),
    );
    return { item: await wireItem(access, item), isKnown: found !== undefined, calls: shown };
  });
}

async function wireItem(
  access: CodeAccess,
  item: HierarchyItem,
): Promise<NonNullable<ResultOf<'code.calls'>['item']>> {
  const { name, detail, kind, selectionRange } = item;
  const location = await access.location({ ...item, range: selectionRange });
  return { name, ...(detail !== undefined && { detail }), kind, location, selectionRange };
}
