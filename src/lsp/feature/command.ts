import type { LanguageServer } from '../language-server.ts';
import { request } from './internal/request.ts';

/** Executes a command of the server; edits it requests meanwhile go to `applyEdit` of its options. */
export function runServerCommand(
  server: LanguageServer,
  { command, arguments: given }: { readonly command: string; readonly arguments?: readonly unknown[] },
  signal: AbortSignal,
): Promise<unknown> {
  const params = { command, ...(given && { arguments: [...given] }) };
  return request(server, 'workspace/executeCommand', params, signal);
}
