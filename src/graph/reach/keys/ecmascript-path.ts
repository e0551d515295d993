import { baseName } from '../../../workspace/workspace-path.ts';
import { directoryOf, sourceExtensions, suffixOf } from '../reach-family.ts';

/** The paths by which specifiers may refer to a file. */
export interface ModulePlaces {
  /** The file's path without its source extension. */
  readonly stem: string;
  /** Its directory, if the file is its index. */
  readonly directory: string | undefined;
}

/** The places of a case-folded path. `a.d.css.ts` declares `a.css`; a file that is no source keeps its extension. */
export function modulePlaces(file: string): ModulePlaces {
  const foreign = /^(.*)\.d\.([^./]+)\.ts$/.exec(file);
  const stem = foreign ? `${foreign[1]}.${foreign[2]}` : withoutSourceExtension(file);
  return { stem, directory: baseName(stem) === 'index' ? directoryOf(stem) : undefined };
}

/** The path without `.ts`, `.d.mts`, `.jsx` and the like; unchanged if it ends otherwise. */
export function withoutSourceExtension(path: string): string {
  if (!sourceExtensions('ecmascript').has(suffixOf(path))) return path;
  return path.replace(/(?:\.d)?\.[^./]+$/, '');
}
