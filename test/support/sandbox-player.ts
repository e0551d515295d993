/** Who plays a sandbox scenario: we ourselves, or an ordinary user where we are root. */

import type { SandboxTrial } from '../children/sandbox-trial.ts';
import { playScenario, type SandboxAccount, type SandboxScenario } from './sandbox-scenario.ts';
import { runAsStranger } from './somebody-else.ts';

export type Player = 'ourselves' | 'an ordinary user';

/** `home` contains the workspaces, and belongs to the user that runs the scenario. */
export async function playAs(
  player: Player,
  home: string,
  scenarios: readonly SandboxScenario[],
): Promise<SandboxTrial> {
  if (player === 'an ordinary user') {
    const args = [JSON.stringify(scenarios)];
    return JSON.parse(await runAsStranger({ program: 'sandbox-trial', args, home }));
  }
  const { signal } = new AbortController();
  const accounts: SandboxAccount[] = [];
  for (const scenario of scenarios) accounts.push(await playScenario(scenario, signal));
  return accounts;
}
