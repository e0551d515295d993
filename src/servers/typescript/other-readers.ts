/**
 * Projects that read a file in another form than the one that is shown to the server: as the build output of another
 * project, which changes only when it is built again, or by a link in `node_modules` that is not resolved.
 *
 * Invariant: a program that contains any output of a project that owns the file, or another name of it, is reported.
 */
import { dirname, relative } from 'node:path';
import { realPathOf } from '../../workspace/real-path.ts';

/** The inputs and outputs of a project. Paths are absolute. */
export interface BuiltProject {
  readonly config: string;
  readonly files: ReadonlySet<string>;
  readonly project: {
    readonly configFileName: string;
    readonly compilerOptions: Readonly<Record<string, unknown>>;
  };
}

/** The programs that do not read `file` as it is shown, each in a sentence. */
export function otherReaders(file: string, programs: readonly BuiltProject[]): readonly string[] {
  return [...outputReaders(file, programs), ...linkReaders(file, programs)];
}

/** With `preserveSymlinks` a package that is linked into `node_modules` keeps the path of the link. */
function linkReaders(file: string, programs: readonly BuiltProject[]): readonly string[] {
  return programs
    .filter(({ project }) => project.compilerOptions.preserveSymlinks === true)
    .flatMap(({ config, files, project }) => {
      const link = [...files].find((each) => each.includes('/node_modules/') && realPathOf(each) === file);
      return link === undefined
        ? []
        : [
            `${config} reads ${relative(dirname(project.configFileName), link)}, a link to it, in which the change was not shown.`,
          ];
    });
}

function outputReaders(file: string, programs: readonly BuiltProject[]): readonly string[] {
  return (
    programs
      // A deleted file is in no program any more, but its output may be.
      .filter(({ files, project }) => files.has(file) || isBelow(file, dirname(project.configFileName)))
      .flatMap((owner) => {
        const directories = outputDirectories(owner);
        return programs.flatMap((reader) => {
          if (reader === owner || reader.files.has(file)) return [];
          const output = [...reader.files].find((each) => directories.some((place) => isBelow(each, place)));
          if (output === undefined) return [];
          const place = relative(dirname(owner.project.configFileName), output);
          return [
            `${reader.config} reads ${place}, which is built from ${owner.config}; what the change does there shows after a build.`,
          ];
        });
      })
  );
}

/** Where a project writes its declarations, unless that is among its sources. */
function outputDirectories({ project: { compilerOptions } }: BuiltProject): readonly string[] {
  const { outDir, declarationDir } = compilerOptions;
  return [outDir, declarationDir].filter((place) => typeof place === 'string');
}

function isBelow(file: string, directory: string): boolean {
  return file.startsWith(directory.endsWith('/') ? directory : `${directory}/`);
}
