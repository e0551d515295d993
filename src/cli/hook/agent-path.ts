/** Paths as the agent writes them: absolute or relative to its directory, through the links that it uses. */
import { isAbsolute, join, relative, sep } from 'node:path';
import { realPathOf } from '../../workspace/real-path.ts';

export interface AgentSpelling {
  /** The directory that the agent works in, as it names it. */
  readonly directory: string;
  /** Paths that the agent wrote. */
  readonly given: readonly string[];
}

/** How the agent would write a real path. */
export function agentPath(path: string, { directory, given }: AgentSpelling): string {
  const below = relative(realPathOf(directory), path);
  if (below.startsWith(`..${sep}`) || isAbsolute(below)) return path;
  return given.length > 0 && given.every(isAbsolute) ? join(directory, below) : below;
}
