/**
 * The program of one project: its files, and what identifies it.
 *
 * Invariant: two programs with one digest are of one configuration file and have the same files and options.
 */
import { createHash } from 'node:crypto';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { ApiProject } from './api-session.ts';

export interface ProjectProgram {
  readonly project: ApiProject;
  readonly config: WorkspacePath;
  /** Absolute paths as the server spells them. */
  readonly files: ReadonlySet<string>;
}

/** The files of all programs, each once. */
export function filesOf(programs: readonly ProjectProgram[]): readonly string[] {
  return [...new Set(programs.flatMap(({ files }) => [...files]))];
}

/** The files of each program by its configuration: paths in the workspace, absolute ones where they lie elsewhere. */
export type ProgramFiles = ReadonlyMap<WorkspacePath, ReadonlySet<string>>;

export function programFilesOf(
  programs: readonly ProjectProgram[],
  pathOf: (file: string) => WorkspacePath | undefined,
): ProgramFiles {
  const names = new Map(filesOf(programs).map((file) => [file, pathOf(file) ?? file]));
  return new Map(
    programs.map(({ config, files }) => [config, new Set([...files].map((file) => names.get(file) ?? file))]),
  );
}

/** Identifies a program, options included. */
export function digestOf({ config, files, project: { compilerOptions } }: ProjectProgram): string {
  return hashOf([config, compilerOptions, [...files].sort()]);
}

/** The files in which the compiler may report an error, of those that lie elsewhere. */
export function checkedElsewhere(
  { project: { compilerOptions }, files }: ProjectProgram,
  isElsewhere: (file: string) => boolean,
): readonly string[] {
  const isChecked = (file: string): boolean => compilerOptions.skipLibCheck !== true || !isDeclarations(file);
  return [...files].filter((file) => isChecked(file) && isElsewhere(file));
}

/** The files of installed libraries in which the compiler may report an error, each once. */
export function checkedLibraries(programs: readonly ProjectProgram[]): readonly string[] {
  const checked = programs.filter(({ project }) => project.compilerOptions.skipLibCheck !== true);
  return filesOf(checked).filter((file) => file.includes('/node_modules/'));
}

function isDeclarations(file: string): boolean {
  return /\.d\.(?:[^./]+\.)?[cm]?ts$/.test(file);
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** The programs of the projects in `byFile`; `known` are the files of each by its configuration, if they are the same as on disk. */
export async function programsOf(
  projects: readonly ApiProject[],
  {
    byFile,
    known,
    list,
  }: {
    readonly byFile: ReadonlyMap<string, WorkspacePath>;
    readonly known: ReadonlyMap<WorkspacePath, ReadonlySet<string>> | undefined;
    readonly list: (project: ApiProject) => Promise<readonly string[]>;
  },
): Promise<readonly ProjectProgram[]> {
  const all = await Promise.all(
    projects.map(async (project): Promise<ProjectProgram | undefined> => {
      const config = byFile.get(project.configFileName);
      if (config === undefined) return undefined;
      return { project, config, files: known?.get(config) ?? new Set(await list(project)) };
    }),
  );
  return all.filter((program) => program !== undefined);
}
