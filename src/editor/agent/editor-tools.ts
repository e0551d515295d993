/**
 * What the agent can do in the editor, beside the tools that it has everywhere.
 *
 * Invariant: a call acts on the buffer it names or, without a name, on the focused one while that is open; otherwise it
 * fails with the list of open ones. Edits go the way of every edit of the agent: they are proposed.
 */
import { z } from 'zod';
import type { AgentContext, AgentTool } from '../../agent/agent-context.ts';
import { codeTools } from '../../agent/code-tools.ts';
import { BadCall } from '../../agent/failure.ts';
import { anchorPath } from '../../agent/files/path-anchor.ts';
import { multiEditTool } from '../../agent/tools/edit.ts';
import { readText } from '../../overlay/overlay.ts';
import { LineIndex } from '../../text/position.ts';
import type { CallSubject } from '../../tools/call-subject.ts';
import { catalogue } from '../../tools/catalogue.ts';
import { flag, text, whole, word } from '../../tools/parameter.ts';
import { defineTool } from '../../tools/tool.ts';
import { jsonResult, type ToolResult } from '../../tools/tool-result.ts';
import { hashContent } from '../../workspace/content-hash.ts';
import { meantPath, type Panes } from './panes.ts';

const uri = word('The file, from the workspace root; absent: the focused one.').optional();

const openToolNames = { name: 'editor_open', aliases: ['editor.open'] } as const;

/** Whether a call opens a file for the user, under whichever of its names; the panel follows such calls. */
export function opensFile(tool: string): boolean {
  return tool === openToolNames.name || openToolNames.aliases.some((alias) => alias === tool);
}

export function editorTools(panes: Panes): readonly AgentTool[] {
  return [
    applyEditTool(panes),
    renameTool(panes),
    diagnosticsTool(panes),
    openTool(),
    listPanesTool(panes),
    paneContextTool(panes),
  ];
}

function applyEditTool(panes: Panes): AgentTool {
  return defineTool({
    name: 'editor_applyEdit',
    aliases: ['editor.applyEdit'],
    title: 'Edit Buffer',
    description:
      'Replace texts in an open buffer, one after the other; all of them or none. Without uri: the focused buffer. Look at it with get_pane_context or Read first.',
    effect: 'overlay',
    input: z.object({
      uri,
      edits: z
        .array(
          z.object({
            old_string: text('The exact text to replace, as the buffer has it.'),
            new_string: text('The text to put in its place.'),
            replace_all: flag('Replace every occurrence; default: false.').optional(),
          }),
        )
        .min(1)
        .describe('The edits, in order.'),
    }),
    subject: (context, input) => subjectOf(context, panes, input.uri),
    handle: (context, input, signal) =>
      multiEditTool
        .prepare({ file_path: meantPath(panes, input.uri), edits: input.edits })
        .run(context, signal),
  });
}

function renameTool(panes: Panes): AgentTool {
  return defineTool({
    name: 'editor_rename',
    aliases: ['editor.rename'],
    title: 'Rename in Editor',
    description:
      'Rename the symbol at a position in every file that uses it, open or not. Without uri: in the focused buffer. Line and column count from 1.',
    effect: 'overlay',
    input: z.object({
      uri,
      line: whole('Line of the name, from 1.'),
      column: whole('Column of the name, from 1.'),
      new_name: word('The name it gets.'),
    }),
    subject: (context, input) => subjectOf(context, panes, input.uri),
    handle: (context, { uri: given, ...input }, signal) =>
      codeTool('rename_symbol')
        .prepare({ file_path: meantPath(panes, given), ...input })
        .run(context, signal),
  });
}

function diagnosticsTool(panes: Panes): AgentTool {
  return defineTool({
    name: 'editor_getDiagnostics',
    aliases: ['editor.getDiagnostics'],
    title: 'Get Buffer Diagnostics',
    description:
      'Errors and warnings of a buffer as it is now, unsaved text included, freshly computed. Without uri: the focused buffer. Says nothing about other files.',
    effect: 'reads',
    input: z.object({ uri }),
    subject: (context, input) => subjectOf(context, panes, input.uri),
    handle: (context, input, signal) => diagnosticsOf(context, meantPath(panes, input.uri), signal),
  });
}

/** Only says what to open: the panel opens it when a live turn made the call, and a fork opens nothing. */
function openTool(): AgentTool {
  return defineTool({
    ...openToolNames,
    title: 'Open in Editor',
    description:
      'Open a file for the user, at a line. It does not change what has the focus of their typing.',
    effect: 'reads',
    input: z.object({
      uri: word('The file, from the workspace root.'),
      line: whole('The line to show, from 1.').optional(),
    }),
    async subject({ roots }, input) {
      return { kind: 'paths', paths: [await anchorPath(roots, input.uri)] };
    },
    async handle({ roots }, input) {
      const { root, path, shown } = await anchorPath(roots, input.uri);
      if ((await root.overlay.read(path)) === undefined) {
        throw new BadCall(`there is no file ${shown}`, 'Check the path, for instance with Glob.');
      }
      return jsonResult({ opened: shown, ...(input.line !== undefined && { line: input.line }) });
    },
  });
}

function listPanesTool(panes: Panes): AgentTool {
  return defineTool({
    name: 'list_open_panes',
    title: 'List Open Panes',
    description:
      'The files that are open in the editor, which of them have unsaved text, and which has the focus.',
    effect: 'reads',
    input: z.object({}),
    async handle() {
      const focused = panes.focus()?.path;
      return jsonResult({
        panes: panes.open().map(({ path, language, isUnsaved }) => ({
          uri: path,
          language,
          unsaved: isUnsaved,
          focused: path === focused,
        })),
      });
    },
  });
}

const mostLines = 400;

function paneContextTool(panes: Panes): AgentTool {
  return defineTool({
    name: 'get_pane_context',
    title: 'Get Pane Context',
    description:
      'A buffer as the user sees it now: text with line numbers, selection, and fresh diagnostics of this file alone. Without uri: the focused buffer.',
    effect: 'reads',
    input: z.object({ uri }),
    subject: (context, input) => subjectOf(context, panes, input.uri),
    async handle(context, input, signal) {
      const at = await anchorPath(context.roots, meantPath(panes, input.uri));
      const content = await readText(at.root.overlay, at.path);
      const focus = panes.focus();
      const diagnostics = await diagnosticsOf(context, at.shown, signal).catch((thrown: unknown) => {
        signal.throwIfAborted();
        return { payload: { kind: 'text', text: String(thrown) }, isError: true } as const;
      });
      const found = diagnostics.payload.kind === 'json' ? diagnostics.payload.value : undefined;
      return jsonResult(
        {
          uri: at.shown,
          open: panes.open().some(({ path }) => path === at.path),
          ...snapshotOf(content.text, focus?.path === at.path ? focus : undefined),
          diagnostics: found ?? 'unknown: no language server answered for this file',
          scope: 'This buffer alone. Nothing is said about what it does to other files.',
        },
        { seen: [{ absolute: at.absolute, hash: hashContent(content) }] },
      );
    },
  });
}

/** The text around the selection, numbered, and the selection itself. */
export function snapshotOf(
  content: string,
  focus: { readonly anchor: number; readonly head: number } | undefined,
): Readonly<Record<string, unknown>> {
  const index = new LineIndex(content);
  const clamp = (offset: number): number => Math.min(Math.max(0, offset), content.length);
  const start = clamp(Math.min(focus?.anchor ?? 0, focus?.head ?? 0));
  const end = clamp(Math.max(focus?.anchor ?? 0, focus?.head ?? 0));
  const caret = index.positionAt(clamp(focus?.head ?? 0));
  const first = index.lineCount <= mostLines ? 0 : Math.max(0, caret.line - mostLines / 2);
  const last = Math.min(index.lineCount, first + mostLines);
  const lines: string[] = [];
  for (let line = first; line < last; line += 1) {
    lines.push(`${String(line + 1).padStart(6)}\t${index.lineText(line)}`);
  }
  return {
    text: lines.join('\n'),
    lines: `${first + 1} to ${last} of ${index.lineCount}`,
    ...(focus && { caret: { line: caret.line + 1, column: caret.character + 1 } }),
    ...(start < end && { selection: content.slice(start, end) }),
  };
}

function diagnosticsOf(context: AgentContext, path: string, signal: AbortSignal): Promise<ToolResult> {
  return codeTool('get_diagnostics').prepare({ file_path: path }).run(context, signal);
}

function codeTool(name: string): AgentTool {
  const tool = codeTools(catalogue).find((each) => each.name === name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  return tool;
}

/** A call that means no pane is about nothing: it fails with the list of open ones when it is carried out. */
async function subjectOf(
  context: AgentContext,
  panes: Panes,
  given: string | undefined,
): Promise<CallSubject> {
  const path = given ?? panes.focus()?.path;
  return path === undefined
    ? { kind: 'none' }
    : { kind: 'paths', paths: [await anchorPath(context.roots, path)] };
}
