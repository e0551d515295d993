import { baseName } from '../../../workspace/workspace-path.ts';
import { directoryOf, sourceExtensions, suffixOf } from '../reach-family.ts';

/** Where specifiers may point and mean a given file. */
export interface ModulePlaces {
  /** The file's path without its source extension. */
  readonly stem: string;
  /** Its directory, when the file is the index of it. */
  readonly directory: string | undefined;
}

/**
 * The places of a case-folded path. `a.d.css.ts` speaks for `a.css`; a file that is no source speaks for
 * itself, extension and all.
 */
export function modulePlaces(file: string): ModulePlaces {
  const foreign = /^(.*)\.d\.([^./]+)\.ts$/.exec(file);
  const stem = foreign ? `${foreign[1]}.${foreign[2]}` : withoutSourceExtension(file);
  return { stem, directory: baseName(stem) === 'index' ? directoryOf(stem) : undefined };
}

/** The path without `.ts`, `.d.mts`, `.jsx` and the like; unchanged when it ends otherwise. */
export function withoutSourceExtension(path: string): string {
  if (!sourceExtensions('ecmascript').has(suffixOf(path))) return path;
  return path.replace(/(?:\.d)?\.[^./]+$/, '');
}
