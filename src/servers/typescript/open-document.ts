import { fieldOf } from '../../base/record.ts';
import type { LanguageServer } from '../../lsp/language-server.ts';

/** Whether the server has a project for an open document. */
export async function isTakenIn(
  server: Pick<LanguageServer, 'request'>,
  uri: string,
  signal: AbortSignal,
): Promise<boolean> {
  const unlimited = { timeoutMs: Number.POSITIVE_INFINITY };
  const answer = await server.request('custom/projectInfo', { textDocument: { uri } }, unlimited, signal);
  return fieldOf(answer, 'configFilePath') !== '';
}
