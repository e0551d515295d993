/**
 * Projects that read the build output of another project: declarations in its output directory replace its sources,
 * and change only when it is built again.
 *
 * Invariant: a program that contains any output of a project that owns the file is reported.
 */
import { dirname, relative } from 'node:path';

/** The inputs and outputs of a project. Paths are absolute. */
export interface BuiltProject {
  readonly config: string;
  readonly files: ReadonlySet<string>;
  readonly project: {
    readonly configFileName: string;
    readonly compilerOptions: Readonly<Record<string, unknown>>;
  };
}

/** The programs that read outputs of the projects that own `file`, each in a phrase. */
export function outputReaders(file: string, programs: readonly BuiltProject[]): readonly string[] {
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
          return [`${reader.config} reads ${place}, which is built from ${owner.config}`];
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
