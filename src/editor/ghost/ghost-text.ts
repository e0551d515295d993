/**
 * What a model is asked for at the caret, and what is kept of its answer.
 *
 * Invariant: a ghost is the text to insert and nothing else; it repeats neither what stands before the caret nor what stands
 * behind it.
 */
import type { ModelRequest } from '../../model/model-request.ts';

export interface GhostPlace {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The names and types around the caret, as the language server knows them. */
  readonly known: readonly string[];
}

const linesBefore = 80;
const linesAfter = 30;

const system = `You complete code at <cursor/>. Answer with exactly the text to insert there: no explanation, no code fence, no text that stands there already. Use only names that are in the file or listed as known. Prefer one line; at most a few. If nothing sensible follows, answer with nothing.`;

export function ghostRequest(model: string, { path, before, after, known }: GhostPlace): ModelRequest {
  const names = known.length === 0 ? '' : `<known>\n${known.join('\n')}\n</known>\n`;
  const head = before.split('\n').slice(-linesBefore).join('\n');
  const tail = after.split('\n').slice(0, linesAfter).join('\n');
  const text = `${names}<file path="${path}">\n${head}<cursor/>${tail}\n</file>`;
  return {
    model,
    system,
    tools: [],
    messages: [{ role: 'user', content: [{ kind: 'text', text }] }],
    sampling: { temperature: 0, thinking: 'off' },
    maxTokens: 160,
    tail: 'discarded',
  };
}

const mostLines = 3;
const mostBlockLines = 12;

/** The text to insert; undefined if nothing of the answer is worth showing. */
export function ghostIn(
  answer: string,
  { before, after }: Pick<GhostPlace, 'before' | 'after'>,
): string | undefined {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const isEmptyLine = line.trim() === '' && /^[ \t]*(\n|$)/.test(after);
  const bare = answer.replace(/^\s*```[^\n]*\n([\s\S]*?)\n?```\s*$/, '$1').replace('<cursor/>', '');
  const unrepeated = line.trim() !== '' && bare.startsWith(line) ? bare.slice(line.length) : bare;
  const lines = unrepeated
    .trimEnd()
    .split('\n')
    .slice(0, isEmptyLine ? mostBlockLines : mostLines);
  const kept = withoutTail(lines.join('\n'), after.slice(0, Math.max(0, after.indexOf('\n'))));
  return kept.trim() === '' ? undefined : kept;
}

/** What stands behind the caret in its line is not inserted a second time. */
function withoutTail(text: string, rest: string): string {
  const tail = rest.trimEnd();
  return tail !== '' && text.endsWith(tail) ? text.slice(0, -tail.length) : text;
}
