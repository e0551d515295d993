/**
 * A text file that a tool is about to change.
 *
 * Invariant: a file is changed only if the model has seen its current content.
 */
import type { ToolResult } from '../../tools/tool-result.ts';
import { type ContentHash, hashContent } from '../../workspace/content-hash.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import { ancestorsOf } from '../../workspace/workspace-path.ts';
import type { AgentContext } from '../agent-context.ts';
import { BadCall, NotRead, StaleRead } from '../failure.ts';
import type { AnchoredPath } from './path-anchor.ts';

export type TextContent = FileContent & { readonly kind: 'text' };

/** The text at a path, which the model must have read; undefined if there is no file. */
export async function editableText(
  { reads }: Pick<AgentContext, 'reads'>,
  { root, path, absolute, shown }: AnchoredPath,
): Promise<TextContent | undefined> {
  const content = await root.overlay.read(path);
  if (content === undefined) {
    if ((await root.overlay.list(path)).length > 0)
      throw new BadCall(`${shown} is a directory`, 'Name a file.');
    for (const above of ancestorsOf(path)) {
      if ((await root.overlay.read(above)) === undefined) continue;
      throw new BadCall(`${above} is a file and has no entries`, 'Choose another path.');
    }
    return undefined;
  }
  if (content.kind !== 'text') throw new BadCall(`${shown} is not a text file`, 'Only text can be edited.');
  const seen = reads.hashOf(absolute);
  if (seen === undefined) throw new NotRead(shown);
  if (seen !== hashContent(content)) throw new StaleRead(shown);
  return content;
}

/** The change that writes a text, and the entry for the read cache. */
export function written(
  { root, path, absolute, shown }: AnchoredPath,
  content: TextContent,
): Required<Pick<ToolResult, 'change' | 'seen'>> {
  const hash: ContentHash = hashContent(content);
  return {
    change: { workspace: root.workspace, overlay: root.overlay.write(path, content), shown: [shown] },
    seen: [{ absolute, hash }],
  };
}
