/** Shows a file, or a range of its lines, with line numbers. */
import { z } from 'zod';
import { LineIndex } from '../../text/position.ts';
import { whole, word } from '../../tools/parameter.ts';
import { defineTool } from '../../tools/tool.ts';
import { textResult } from '../../tools/tool-result.ts';
import { hashContent } from '../../workspace/content-hash.ts';
import type { AgentTool } from '../agent-context.ts';
import { BadCall } from '../failure.ts';
import { anchorPath } from '../files/path-anchor.ts';

const linesByDefault = 2000;
const longestLine = 2000;
const longestAnswer = 100_000;

export const readTool: AgentTool = defineTool({
  name: 'Read',
  title: 'Read File',
  description:
    'Read a text file of the workspace. Lines are numbered: number, tab, text; the number is not part of the file. Reads up to 2000 lines; offset and limit select others.',
  effect: 'reads',
  input: z.object({
    file_path: word('Path of the file, from the workspace root or absolute.'),
    offset: whole('First line to show, from 1.').optional(),
    limit: whole('How many lines to show.').optional(),
  }),
  async subject({ roots }, { file_path }) {
    return { kind: 'paths', paths: [await anchorPath(roots, file_path)] };
  },
  async handle({ roots }, { file_path, offset = 1, limit = linesByDefault }) {
    const { root, path, absolute, shown } = await anchorPath(roots, file_path);
    const content = await root.overlay.read(path);
    if (content === undefined) throw await missing(root.overlay.list(path), shown);
    if (content.kind === 'binary') throw unreadable(shown);
    if (content.kind === 'symlink') {
      throw new BadCall(
        `${shown} is a link to ${content.target}, and links are not followed`,
        'Read another file.',
      );
    }
    const seen = [{ absolute, hash: hashContent(content) }];
    if (content.text === '') return textResult(`${shown} is empty.`, { seen });
    return textResult(numbered(content.text, { first: Math.max(1, offset), limit: Math.max(1, limit) }), {
      seen,
    });
  },
});

interface Stretch {
  readonly first: number;
  readonly limit: number;
}

function numbered(text: string, { first, limit }: Stretch): string {
  const index = new LineIndex(text);
  // The empty text after the last line end is not counted as a line.
  const count = index.lineText(index.lineCount - 1) === '' ? index.lineCount - 1 : index.lineCount;
  if (first > count) {
    throw new BadCall(
      `the file has ${count} lines, so there is no line ${first}`,
      'Choose a smaller offset.',
    );
  }
  const lines: string[] = [];
  let size = 0;
  let line = first - 1;
  for (; line < Math.min(count, first - 1 + limit) && size < longestAnswer; line += 1) {
    const shown = `${String(line + 1).padStart(6)}\t${shortened(index.lineText(line))}`;
    lines.push(shown);
    size += shown.length;
  }
  if (line < count) lines.push(`(lines ${first} to ${line} of ${count}; continue with offset ${line + 1})`);
  return lines.join('\n');
}

function shortened(line: string): string {
  if (line.length <= longestLine) return line;
  return `${line.slice(0, longestLine)} … (${line.length - longestLine} more characters)`;
}

async function missing(listing: Promise<readonly unknown[]>, shown: string): Promise<BadCall> {
  return (await listing).length > 0
    ? new BadCall(`${shown} is a directory`, 'Use Glob to see what is in it.')
    : new BadCall(`there is no file ${shown}`, 'Check the path with Glob.');
}

function unreadable(shown: string): BadCall {
  return /\.(png|jpe?g|gif|webp|bmp|ico|svgz|tiff?|heic|avif)$/i.test(shown)
    ? new BadCall(`${shown} is an image, which cannot be shown here`, 'Ask the user what is in it.')
    : new BadCall(`${shown} is not a text file`, 'Only text files can be read; inspect it with a command.');
}
