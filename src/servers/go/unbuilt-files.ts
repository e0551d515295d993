/**
 * The Go files that no build of a platform includes: a server that checks them anyway assumes another build.
 *
 * Invariant: the server is not asked about them.
 */
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { Projection } from '../projection.ts';
import type { FileDiagnostics } from '../proof.ts';
import { answerBesideBuilds, isBesideBuilds } from './beside-builds.ts';
import { type GoPlatform, leftOutOfBuild } from './build-constraint.ts';
import { GoModules, insideModule } from './go-module.ts';

type Ask = (path: WorkspacePath, signal: AbortSignal) => Promise<FileDiagnostics>;

interface UnbuiltFiles {
  /** Asks the server about all other files, and says what its answers count for. */
  among(ask: Ask): Ask;
}

/** Files of further modules, and of packages that the server does not load by itself, are opened. */
export async function unbuiltFiles(
  projection: Projection,
  platform: GoPlatform,
  paths: readonly WorkspacePath[],
): Promise<UnbuiltFiles> {
  const answers = new Map<WorkspacePath, FileDiagnostics>();
  const beside = new Set<WorkspacePath>();
  const modules = new GoModules((path) => projection.text(path));
  const unloaded: WorkspacePath[] = [];
  for (const path of paths) {
    const module = await modules.of(path);
    const inside = insideModule(path, module);
    const why = leftOutOfBuild(inside, (await projection.text(path)) ?? '', platform);
    if (isBesideBuilds(inside)) beside.add(path);
    if (why !== undefined)
      answers.set(path, {
        path,
        diagnostics: [],
        proof: { kind: 'checked' },
        isUnowned: true,
        unownedBecause: why,
      });
    else if (module !== '.' || beside.has(path)) unloaded.push(path);
  }
  await projection.open(unloaded);
  return {
    among: (ask) => async (path, signal) => {
      const known = answers.get(path);
      if (known) return known;
      const answer = await ask(path, signal);
      return beside.has(path) ? answerBesideBuilds(answer) : answer;
    },
  };
}
