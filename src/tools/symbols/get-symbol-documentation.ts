/** The documentation of a symbol of a library or of the workspace. */

import { z } from 'zod';
import { Failure, messageOf } from '../../base/failure.ts';
import type { FileLocation } from '../../live/connection-workspaces.ts';
import { languageId } from '../../servers/language.ts';
import { budgetInput } from '../answer-budget.ts';
import { InvalidArgument } from '../failure.ts';
import { word } from '../parameter.ts';
import { defineTool, type Tool } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { jsonResult } from '../tool-result.ts';
import { trustedEnvironment } from '../trusted-workspace.ts';
import { goModuleOf } from './documentation/go-module.ts';
import { hoverDocumentation } from './documentation/hover-documentation.ts';
import type { SymbolDocumentation } from './documentation/symbol-documentation.ts';
import { toolchainDocumentation } from './documentation/toolchain-documentation.ts';

export const getSymbolDocumentation: Tool = defineTool({
  name: 'get_symbol_documentation',
  title: 'Get Symbol Documentation',
  effect: 'reads',
  description:
    'Documentation of a symbol by its name, from the toolchain of its language (go doc, pydoc) or else from the language server.',
  input: z.object({
    symbol: word('The name, e.g. fmt.Println, json.dumps or Array.prototype.map.'),
    language_id: word('Its language, e.g. go, python, typescript, rust.'),
    file_path: word('A file in whose scope the name is resolved.').optional(),
    format: z
      .enum(['text', 'markdown'])
      .describe('text (default), or markdown with the signature as a code block.')
      .optional(),
    ...budgetInput,
  }),
  async handle(context, input, signal) {
    const { symbol } = input;
    const language = languageId(input.language_id);
    if (symbol.startsWith('-')) throw new InvalidArgument('symbol must not begin with "-"');
    const file =
      input.file_path === undefined
        ? undefined
        : await context.workspaces.locateFile(input.file_path, signal);
    const found = await lookUp(context, { symbol, language, file }, signal);
    if (typeof found === 'string') {
      return jsonResult({ symbol, language, source: 'error', doc: '', signature: '', error: found });
    }
    const { source, signature } = found;
    const doc = input.format === 'markdown' ? asMarkdown(found, language) : asText(found);
    return jsonResult({ symbol, language, source, doc, signature });
  },
});

interface LookUp {
  readonly symbol: string;
  readonly language: ReturnType<typeof languageId>;
  readonly file: FileLocation | undefined;
}

/** The documentation, or a sentence why there is none. */
async function lookUp(
  context: ToolContext,
  { symbol, language, file }: LookUp,
  signal: AbortSignal,
): Promise<SymbolDocumentation | string> {
  const module = file && language === 'go' ? await goModuleOf(file.view, file.path) : undefined;
  const env = trustedEnvironment(context);
  const printed = await toolchainDocumentation({ language, symbol, module, env }, signal);
  if (typeof printed !== 'string') return printed;
  const view = file?.view ?? context.workspaces.active;
  if (!view) return printed;
  try {
    return (
      (await hoverDocumentation({ view, path: file?.path, language, symbol }, signal)) ??
      notFound(printed, symbol)
    );
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof Failure)) throw thrown;
    context.log.debug('documentation.no-hover', { code: thrown.code, error: messageOf(thrown) });
    return printed;
  }
}

/** A language without documentation commands was looked up through its server, which found nothing. */
function notFound(printed: string, symbol: string): string {
  return printed.startsWith('unsupported language') ? `no documentation found for ${symbol}` : printed;
}

function asMarkdown({ source, doc, signature }: SymbolDocumentation, language: string): string {
  if (source === 'hover' || signature === '') return doc;
  return `\`\`\`${language}\n${signature}\n\`\`\`\n\n${doc.replace(signature, '').trim()}`;
}

function asText({ source, doc }: SymbolDocumentation): string {
  return source === 'hover' ? doc.replace(/^```.*\n?/gm, '').trim() : doc;
}
