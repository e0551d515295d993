/**
 * The resources a client may read: diagnostics, hover texts, completions, the last inspection and the sessions of its
 * own connection.
 *
 * Invariant: what a tool could answer is answered by that tool, under the same guards against paths outside the
 * workspace; the only file read here is the last inspection.
 */
import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { dispatch } from '../tools/dispatch.ts';
import { asFailure } from '../tools/failure.ts';
import { requireText } from '../tools/opened-documents.ts';
import { sessionReport } from '../tools/session/session-report.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolContext } from '../tools/tool-context.ts';
import { contentOf } from '../tools/tool-result.ts';
import {
  completionsUri,
  diagnosticsUri,
  filePathOf,
  hoverUri,
  inspectionUri,
  queryOf,
  referencesUri,
  sessionUri,
} from './resource-uri.ts';

/** The parts of a connection that reading needs. */
export interface ResourceSource {
  readonly tools: readonly Tool[];
  readonly context: ToolContext;
}

export async function listResources({ context }: ResourceSource): Promise<ListResourcesResult> {
  const sessions = context.sessions.live;
  return {
    resources: [
      { uri: diagnosticsUri, name: 'All Diagnostics', mimeType: json },
      { uri: hoverUri, name: 'LSP Hover', mimeType: plain },
      { uri: completionsUri, name: 'LSP Completions', mimeType: json },
      { uri: inspectionUri, name: 'Last Inspection', mimeType: json },
      ...sessions.map(({ id, state }) => ({
        uri: `${sessionUri}/${id}`,
        name: `Session ${id} (${state})`,
        mimeType: json,
      })),
    ],
  };
}

export function listTemplates(): ListResourceTemplatesResult {
  const place = '{filePath}?line={line}&column={column}&language_id={language_id}';
  return {
    resourceTemplates: [
      {
        uriTemplate: `${diagnosticsUri}/{filePath}`,
        name: 'lsp-diagnostics',
        description: 'Diagnostics of one file, freshly computed. filePath: absolute, inside the workspace.',
        mimeType: json,
      },
      {
        uriTemplate: `${hoverUri}/${place}`,
        name: 'lsp-hover',
        description: 'What the language server tells of the name at a place; line and column from 1.',
        mimeType: plain,
      },
      {
        uriTemplate: `${completionsUri}/${place}`,
        name: 'lsp-completions',
        description: 'What could be typed at a place; line and column from 1.',
        mimeType: json,
      },
      {
        uriTemplate: `${sessionUri}/{id}`,
        name: 'forerun-session',
        description: 'A session of this connection: its edits as a unified diff, and its last verdict.',
        mimeType: json,
      },
    ],
  };
}

export async function readResource(
  source: ResourceSource,
  uri: string,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const { mimeType, text } = await contentsOf(source, uri, signal);
  return { contents: [{ uri, mimeType, text }] };
}

/** Fails for a resource whose changes are never announced: unknown, missing, or outside what is served. */
export async function requireSubscribable(
  { context }: ResourceSource,
  uri: string,
  signal: AbortSignal,
): Promise<void> {
  if (uri === inspectionUri) return;
  const isOfFile = uri.startsWith(diagnosticsUri) || uri.startsWith(referencesUri);
  if (!isOfFile && !uri.startsWith(`${sessionUri}/`)) {
    throw new ResourceNotFoundError(uri, `no resource to subscribe to: ${uri}`);
  }
  const name = filePathOf(uri);
  try {
    if (!isOfFile) context.sessions.find(name?.slice(1) ?? '');
    else if (name !== undefined) await requireText(context.workspaces, name, signal);
  } catch (thrown) {
    throw new ResourceNotFoundError(uri, asFailure(thrown).message);
  }
}

interface Contents {
  readonly mimeType: string;
  readonly text: string;
}

const json = 'application/json';
const plain = 'text/plain';

async function contentsOf(source: ResourceSource, uri: string, signal: AbortSignal): Promise<Contents> {
  if (uri.startsWith(diagnosticsUri)) return { mimeType: json, text: await diagnostics(source, uri, signal) };
  if (uri.startsWith(hoverUri)) {
    return { mimeType: plain, text: await askTool(source, 'inspect_symbol', placeOf(uri), signal) };
  }
  if (uri.startsWith(completionsUri)) {
    return { mimeType: json, text: await askTool(source, 'get_completions', placeOf(uri), signal) };
  }
  if (uri === inspectionUri) return { mimeType: json, text: await lastInspection(source) };
  if (uri.startsWith(`${sessionUri}/`)) return { mimeType: json, text: await session(source, uri) };
  throw new ResourceNotFoundError(uri);
}

async function diagnostics(source: ResourceSource, uri: string, signal: AbortSignal): Promise<string> {
  const filePath = filePathOf(uri);
  // Before any workspace is open there are no diagnostics.
  if (filePath === undefined && !source.context.workspaces.active) return '{}';
  return askTool(source, 'get_diagnostics', filePath === undefined ? {} : { file_path: filePath }, signal);
}

async function askTool(
  { tools, context }: ResourceSource,
  name: string,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<string> {
  const result = await dispatch(context, { tools, guards: [], name, arguments: args }, signal);
  const [text = ''] = contentOf(result);
  if (result.isError) throw new ProtocolError(ProtocolErrorCode.InvalidParams, text, result.meta);
  return text;
}

function placeOf(uri: string): Readonly<Record<string, unknown>> {
  const query = queryOf(uri);
  const [line, column, language] = ['line', 'column', 'language_id'].map((name) => query.get(name));
  const filePath = filePathOf(uri);
  if (!line || !column || !language) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'URI missing required query params (line, column, language_id)',
    );
  }
  if (filePath === undefined) throw new ResourceNotFoundError(uri, 'URI names no file');
  return { file_path: filePath, line: Number(line), column: Number(column), language_id: language };
}

async function lastInspection({ context }: ResourceSource): Promise<string> {
  const view = context.workspaces.active;
  if (!view) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'no workspace is open; call start_lsp first');
  }
  const path = await view.workspace.resolve('.forerun/last-inspection.json');
  const content = await view.live.disk.source.read(path);
  if (content?.kind === 'text') return content.text;
  return JSON.stringify({
    error: 'no inspection results found',
    hint: 'Run the lsp-inspect skill; it leaves its findings in .forerun/last-inspection.json.',
  });
}

async function session({ context }: ResourceSource, uri: string): Promise<string> {
  const id = filePathOf(uri)?.slice(1) ?? '';
  try {
    return JSON.stringify(await sessionReport(context.sessions.find(id)));
  } catch (thrown) {
    throw new ResourceNotFoundError(uri, asFailure(thrown).message);
  }
}
