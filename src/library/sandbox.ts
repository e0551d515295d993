/** `forerun/sandbox`: commands that see an overlay and change nothing else; shell text read without running it. */
export { allowedTiers } from '../config/allowed-tiers.ts';
export { openSandbox, type Sandbox, type Tier } from '../sandbox/sandbox.ts';
export type { BoundaryRule, ShellBoundary } from '../shell/boundary.ts';
export { readShellCommand, type ShellReading } from '../shell/shell-reading.ts';
