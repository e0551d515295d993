/** Finds files by a pattern of their paths. */
import { stat } from 'node:fs/promises';
import picomatch from 'picomatch';
import { z } from 'zod';
import { word } from '../../tools/parameter.ts';
import { defineTool } from '../../tools/tool.ts';
import { textResult } from '../../tools/tool-result.ts';
import { mapConcurrently } from '../../workspace/concurrency.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { AgentTool } from '../agent-context.ts';
import { type RootView, shownPath } from '../files/agent-root.ts';
import { type AnchoredPath, anchored, anchorPath } from '../files/path-anchor.ts';
import { SearchedFiles } from '../search/searched-files.ts';

const mostFiles = 500;

export const globTool: AgentTool = defineTool({
  name: 'Glob',
  title: 'Find Files',
  description:
    'Find files by a pattern such as src/**/*.ts. Ignored files, hidden directories, dependencies and build output are left out unless path names them.',
  effect: 'reads',
  input: z.object({
    pattern: word('The pattern, matched against paths relative to the directory.'),
    path: word('Directory to search; default: the workspace root.').optional(),
    sort: z
      .enum(['path', 'modified'])
      .describe('By path (default), or most recently modified first.')
      .optional(),
  }),
  async subject({ roots }, { path = '.' }) {
    return { kind: 'paths', paths: [await anchorPath(roots, path)] };
  },
  async handle({ roots, hides }, { pattern, path = '.', sort = 'path' }, signal) {
    const from = await anchorPath(roots, path);
    const isWanted = picomatch(patternBelow(pattern, from), { dot: true });
    const skipped = from.path === '' ? 0 : from.path.length + 1;
    const searched = await SearchedFiles.below(from);
    const files = await searched.filesBelow(from.path, signal);
    const found = files.filter(
      (file) => isWanted(file.slice(skipped)) && !hides(anchored(roots, from.root, file)),
    );
    const ordered = sort === 'path' ? found : await byModification(from.root, found);
    const shown = ordered.slice(0, mostFiles).map((file) => shownPath(roots, from.root, file));
    const left = ordered.length - shown.length;
    const listed = left > 0 ? [...shown, `(${left} more; narrow the pattern)`] : shown;
    return textResult(
      [...(listed.length > 0 ? listed : ['No file matches.']), ...searched.caveats()].join('\n'),
    );
  },
});

/** Models write patterns with the absolute root or `./` in front. */
function patternBelow(pattern: string, { absolute }: AnchoredPath): string {
  const prefix = `${absolute}/`;
  return (pattern.startsWith(prefix) ? pattern.slice(prefix.length) : pattern).replace(/^(\.\/)+/, '');
}

/** Files that exist only in the overlay are newer than all files on disk. */
async function byModification(
  { workspace, overlay }: RootView,
  paths: readonly WorkspacePath[],
): Promise<readonly WorkspacePath[]> {
  const dated = await mapConcurrently(paths, 32, async (path) => {
    const modified = overlay.has(path)
      ? Number.POSITIVE_INFINITY
      : await stat(workspace.absolute(path)).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        );
    return { path, modified };
  });
  return dated
    .sort((a, b) => (a.modified === b.modified ? 0 : b.modified - a.modified))
    .map(({ path }) => path);
}
