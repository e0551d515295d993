/** Plays the scenarios it is given as JSON and prints the accounts. Run as a program, so that somebody else can run it. */
import { playScenario, type SandboxAccount, type SandboxScenario } from '../support/sandbox-scenario.ts';

export type SandboxTrial = readonly SandboxAccount[];

const scenarios: readonly SandboxScenario[] = JSON.parse(process.argv[2] ?? '[]');
const { signal } = new AbortController();
const accounts: SandboxAccount[] = [];
for (const scenario of scenarios) accounts.push(await playScenario(scenario, signal));
process.stdout.write(JSON.stringify(accounts));
