/**
 * Many Python projects as one: what each says of paths is said of its own directory, so that pyright is started once and not
 * once for each.
 *
 * Invariant: only projects that agree on everything else are joined; one with stubs in `typings` stays alone, because that
 * directory is looked for at the top only.
 */
import { parse as parseToml } from 'smol-toml';
import { z } from 'zod';
import type { WorkspaceFiles } from './workspace-files.ts';

const environmentSchema = z.looseObject({ root: z.string(), extraPaths: z.array(z.string()).default([]) });

const settingsSchema = z.looseObject({
  include: z.array(z.string()).optional(),
  exclude: z.array(z.string()).optional(),
  ignore: z.array(z.string()).default([]),
  executionEnvironments: z.array(environmentSchema).default([]),
});

type Settings = z.infer<typeof settingsSchema>;

const manifestSchema = z.object({ tool: z.object({ pyright: settingsSchema.optional() }).optional() });

/** What pyright leaves out of a project that does not say. */
const leftOut = ['**/node_modules', '**/__pycache__', '**/.*'];

export interface PyrightBatch {
  /** The places of its trees. */
  readonly places: readonly number[];
  /** For the directory in which each tree is a directory. */
  readonly configuration: object;
}

export function pyrightBatches(
  trees: readonly WorkspaceFiles[],
  directoryOf: (place: number) => string,
): readonly PyrightBatch[] {
  const groups = new Map<string, number[]>();
  const settings = trees.map(settingsOf);
  for (const [place, tree] of trees.entries()) {
    const { include, exclude, ignore, executionEnvironments, ...shared } = settings[place] ?? settingsOf({});
    const key = hasTypings(tree) ? `alone ${place}` : JSON.stringify(shared);
    groups.set(key, [...(groups.get(key) ?? []), place]);
  }
  return [...groups.values()].map((places) => {
    const moved = places.map((place) => moveInto(directoryOf(place), settings[place] ?? settingsOf({})));
    return { places, configuration: joined(moved) };
  });
}

function settingsOf(files: WorkspaceFiles): Settings {
  const own = files['pyrightconfig.json'];
  if (own !== undefined) return settingsSchema.parse(JSON.parse(own));
  const manifest = manifestSchema.parse(parseToml(files['pyproject.toml'] ?? ''));
  return manifest.tool?.pyright ?? settingsSchema.parse({});
}

function hasTypings(files: WorkspaceFiles): boolean {
  return Object.keys(files).some((path) => path.startsWith('typings/'));
}

function moveInto(directory: string, settings: Settings): Settings {
  const under = (paths: readonly string[]): string[] => paths.map((path) => `${directory}/${path}`);
  return {
    ...settings,
    include: settings.include ? under(settings.include) : [directory],
    exclude: under(settings.exclude ?? leftOut),
    ignore: under(settings.ignore),
    executionEnvironments: [
      ...settings.executionEnvironments.map((each) => ({
        ...each,
        root: `${directory}/${each.root}`,
        extraPaths: under(each.extraPaths),
      })),
      // The files of none of them resolve their imports from the top of the project.
      { root: directory, extraPaths: [] },
    ],
  };
}

function joined(projects: readonly Settings[]): object {
  const all = <T>(part: (settings: Settings) => readonly T[] | undefined): T[] =>
    projects.flatMap((settings) => part(settings) ?? []);
  return {
    ...projects[0],
    include: all(({ include }) => include),
    exclude: all(({ exclude }) => exclude),
    ignore: all(({ ignore }) => ignore),
    executionEnvironments: all(({ executionEnvironments }) => executionEnvironments),
  };
}
