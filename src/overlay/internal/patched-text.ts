import type { FilePatch } from '../../text/unified-diff.ts';
import type { FileContent } from '../../workspace/file-content.ts';

/** File contents as in patches: one string, byte order mark included, and one of git's three modes. */

const ordinary = 0o100644;
const executable = 0o100755;
const link = 0o120000;

/** The text of this content in a patch, or undefined for binary content. */
export function patchableText(content: FileContent): string | undefined {
  switch (content.kind) {
    case 'text':
      return content.bom === true ? byteOrderMark + content.text : content.text;
    case 'symlink':
      return content.target;
    case 'binary':
      return undefined;
  }
}

/** The content of a patched file; properties that the patch does not mention are taken from `before`. */
export function fileContentOf(text: string, patch: FilePatch, before: FileContent | undefined): FileContent {
  const isLink = patch.newMode === link || (patch.newMode === undefined && before?.kind === 'symlink');
  if (isLink) return { kind: 'symlink', target: text };
  const mode = modeOf(patch, before);
  const hasMark = text.startsWith(byteOrderMark);
  return {
    kind: 'text',
    text: hasMark ? text.slice(1) : text,
    ...(hasMark ? { bom: true } : {}),
    ...(mode === undefined ? {} : { mode }),
  };
}

/** The mode of this content in git; if not stated, that of `before`. */
export function gitMode(content: FileContent, before?: FileContent): number {
  if (content.kind === 'symlink') return link;
  const mode = content.mode ?? (before === undefined || before.kind === 'symlink' ? undefined : before.mode);
  return mode !== undefined && (mode & 0o100) !== 0 ? executable : ordinary;
}

const byteOrderMark = '\uFEFF';

function modeOf(patch: FilePatch, before: FileContent | undefined): number | undefined {
  const known = before === undefined || before.kind === 'symlink' ? undefined : before.mode;
  if (patch.newMode === undefined) return known;
  const wasExecutable = known !== undefined && (known & 0o100) !== 0;
  if ((patch.newMode === executable) === wasExecutable) return known;
  return patch.newMode === executable ? 0o755 : 0o644;
}
