/**
 * Diagnostics of tsserver-based servers by their synchronous commands, whose responses belong to the text sent before
 * them; their publications prove nothing.
 */
import { fileURLToPath } from 'node:url';
import type { Diagnostic, Severity } from '../lsp/diagnostic.ts';
import { runServerCommand } from '../lsp/feature/command.ts';
import type { LanguageServer } from '../lsp/language-server.ts';
import type { Settle } from './server-definition.ts';

export async function requestTsserverDiagnostics(
  server: LanguageServer,
  settle: Settle & { readonly mode: 'request' },
  uri: string,
  signal: AbortSignal,
): Promise<readonly Diagnostic[]> {
  const file = fileURLToPath(uri);
  const answers = await Promise.all(
    settle.tsserverCommands.map((command) =>
      runServerCommand(server, { command: settle.command, arguments: [command, { file }] }, signal),
    ),
  );
  return answers.flatMap(bodyOf).flatMap(parseDiagnostic);
}

function bodyOf(answer: unknown): readonly unknown[] {
  const body = field(answer, 'body');
  if (!Array.isArray(body)) throw new TypeError('tsserver answered a diagnostics command without a list');
  return body;
}

/** tsserver counts lines and columns from one. */
function parseDiagnostic(raw: unknown): Diagnostic[] {
  const start = place(field(raw, 'start'));
  const end = place(field(raw, 'end'));
  const text = field(raw, 'text') ?? field(raw, 'message');
  if (!start || !end || typeof text !== 'string') return [];
  const code = field(raw, 'code');
  return [
    {
      range: { start, end },
      message: text,
      severity: severities[String(field(raw, 'category'))] ?? 'error',
      source: 'typescript',
      ...(typeof code === 'number' ? { code } : {}),
    },
  ];
}

const severities: Readonly<Record<string, Severity>> = {
  error: 'error',
  warning: 'warning',
  suggestion: 'hint',
  message: 'info',
};

function place(raw: unknown): { line: number; character: number } | undefined {
  const line = field(raw, 'line');
  const offset = field(raw, 'offset');
  if (typeof line !== 'number' || typeof offset !== 'number') return undefined;
  return { line: line - 1, character: offset - 1 };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
