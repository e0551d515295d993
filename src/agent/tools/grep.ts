/** Searches the contents of files. */
import picomatch from 'picomatch';
import { z } from 'zod';
import { flag, whole, word } from '../../tools/parameter.ts';
import { defineTool } from '../../tools/tool.ts';
import { textResult } from '../../tools/tool-result.ts';
import { baseName, type WorkspacePath } from '../../workspace/workspace-path.ts';
import type { AgentTool } from '../agent-context.ts';
import { BadCall } from '../failure.ts';
import { shownPath } from '../files/agent-root.ts';
import { anchored, anchorPath } from '../files/path-anchor.ts';
import { type ContextSize, contextLines } from '../search/context-lines.ts';
import { fileTypes } from '../search/file-type.ts';
import { SearchPattern } from '../search/search-pattern.ts';
import { SearchedFiles } from '../search/searched-files.ts';
import { type FileMatches, searchFiles } from '../search/text-search.ts';

const mostLines = 1000;

const input = z.object({
  pattern: word('Regular expression in ripgrep syntax.'),
  path: word('File or directory to search; default: the workspace root.').optional(),
  glob: word('Only files whose path matches, such as *.ts or src/**/*.{js,ts}.').optional(),
  type: word('Only files of this type, such as ts, py, rust, go.').optional(),
  output_mode: z
    .enum(['content', 'files_with_matches', 'count'])
    .describe('Matching lines, file paths (default), or the number of matching lines per file.')
    .optional(),
  '-i': flag('Ignore case.').optional(),
  '-n': flag('Line numbers before lines; default: true.').optional(),
  '-A': whole('Lines to show after each match.').optional(),
  '-B': whole('Lines to show before each match.').optional(),
  '-C': whole('Lines to show around each match.').optional(),
  multiline: flag('Allow a match to cross lines; a dot then matches line ends.').optional(),
  head_limit: whole('Return only the first so many lines of the answer.').optional(),
});

type GrepInput = z.infer<typeof input>;

export const grepTool: AgentTool = defineTool({
  name: 'Grep',
  title: 'Search Files',
  description:
    'Search file contents with a regular expression. Ignored files, hidden directories, dependencies and build output are left out unless path names them.',
  effect: 'reads',
  input,
  async subject({ roots }, { path = '.' }) {
    return { kind: 'paths', paths: [await anchorPath(roots, path)] };
  },
  async handle({ roots, hides }, given, signal) {
    const unit = given.multiline === true ? 'text' : 'lines';
    const pattern = new SearchPattern(given.pattern, { ignoreCase: given['-i'] === true });
    const isWanted = filterOf(given);
    const from = await anchorPath(roots, given.path ?? '.');
    const searched = await SearchedFiles.below(from);
    const files = (await searched.filesBelow(from.path, signal)).filter(
      (file) => isWanted(file) && !hides(anchored(roots, from.root, file)),
    );
    const limit = Math.min(
      given.head_limit && given.head_limit > 0 ? given.head_limit : mostLines,
      mostLines,
    );
    const render = rendering(given);
    const lines: string[] = [];
    let [shownFiles, isCut] = [0, false];
    for await (const matches of searchFiles(searched, files, { pattern, unit }, signal)) {
      const rendered = render(shownPath(roots, from.root, matches.path), matches);
      if (shownFiles > 0 && hasContext(given)) lines.push('--');
      lines.push(...rendered);
      shownFiles += 1;
      isCut = lines.length > limit;
      if (isCut) break;
    }
    if (isCut) lines.splice(limit, lines.length, `(cut after ${limit} lines; narrow the search)`);
    const found = lines.length > 0 ? lines : ['Nothing matches.'];
    return textResult([...found, ...searched.caveats()].join('\n'));
  },
});

function filterOf({ glob, type }: GrepInput): (path: WorkspacePath) => boolean {
  const extensions = type === undefined ? undefined : fileTypes[type];
  if (type !== undefined && extensions === undefined) {
    throw new BadCall(
      `there is no file type ${type}`,
      `Use glob, or one of: ${Object.keys(fileTypes).join(', ')}.`,
    );
  }
  const matches = glob === undefined ? undefined : globMatcher(glob);
  return (path) => {
    const extension = baseName(path).split('.').slice(1).at(-1) ?? '';
    return (extensions === undefined || extensions.includes(extension)) && (matches?.(path) ?? true);
  };
}

/** A pattern without a slash matches file names at any depth; one that begins with `!` excludes files. */
function globMatcher(glob: string): (path: WorkspacePath) => boolean {
  const isNegated = glob.startsWith('!');
  const bare = isNegated ? glob.slice(1) : glob;
  const matches = picomatch(bare.replace(/^\//, ''), { dot: true, basename: !bare.includes('/') });
  return (path) => matches(path) !== isNegated;
}

function sizeOf({ '-A': after, '-B': before, '-C': around }: GrepInput): ContextSize {
  return { before: Math.max(0, before ?? around ?? 0), after: Math.max(0, after ?? around ?? 0) };
}

function hasContext(given: GrepInput): boolean {
  const { before, after } = sizeOf(given);
  return given.output_mode === 'content' && before + after > 0;
}

function rendering(given: GrepInput): (shown: string, matches: FileMatches) => readonly string[] {
  const hasNumbers = given['-n'] !== false;
  const size = sizeOf(given);
  switch (given.output_mode ?? 'files_with_matches') {
    case 'files_with_matches':
      return (shown) => [shown];
    case 'count':
      return (shown, { matching }) => [`${shown}:${matching.length}`];
    case 'content':
      return (shown, matches) =>
        contextLines(matches, size).map((line) => {
          if (line.kind === 'gap') return '--';
          const mark = line.kind === 'match' ? ':' : '-';
          const number = hasNumbers ? `${line.number}${mark}` : '';
          return `${shown}${mark}${number}${shortened(line.text)}`;
        });
  }
}

const longestLine = 500;

function shortened(line: string): string {
  return line.length <= longestLine ? line : `${line.slice(0, longestLine)} …`;
}
