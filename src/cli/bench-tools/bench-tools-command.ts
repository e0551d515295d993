/** `forerun bench tools`: measures how reliably models call tools. */
import { Failure } from '../../base/failure.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { settingsPaths } from '../../host/settings-paths.ts';
import { discoverModel } from '../../model/discover-model.ts';
import type { ProviderName } from '../../model/provider.ts';
import { catalogue } from '../../tools/catalogue.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { StatusLine } from '../print/status-line.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import {
  cellsOf,
  type EmissionCell,
  type EmissionPlan,
  measureCell,
  toolsToOffer,
} from './emission-experiment.ts';
import { type EmissionPrompt, emissionPrompts } from './emission-prompt.ts';
import { renderEmissions } from './emission-table.ts';

export interface BenchToolsOptions {
  /** Absent: the model of the settings. */
  readonly models: readonly string[];
  readonly provider: ProviderName | undefined;
  readonly baseUrl: string | undefined;
  /** Ids of prompts; absent: all. */
  readonly prompts: readonly string[];
  readonly temperatures: readonly number[];
  readonly toolCounts: readonly number[];
  readonly repeats: number;
  readonly format: 'human' | 'json';
}

export async function benchToolsCommand(
  { signal }: ProcessLifetime,
  options: BenchToolsOptions,
): Promise<ExitCode> {
  const { temperatures, toolCounts, repeats, format } = options;
  const plan: EmissionPlan = {
    prompts: promptsOf(options.prompts),
    temperatures,
    toolCounts,
    repeats,
    maxTokens: 1024,
  };
  using status = new StatusLine(process.stderr);
  const cells: EmissionCell[] = [];
  for (const name of options.models.length > 0 ? options.models : [undefined]) {
    const found = await modelOf(options, name, signal);
    for (const knobs of cellsOf(plan)) {
      status.show(`${found.model} at temperature ${knobs.temperature} with ${knobs.tools} tools`);
      const tools = toolsToOffer(catalogue, knobs.tools);
      cells.push(await measureCell(found, { knobs, plan, tools }, signal));
    }
  }
  status.clear();
  const report = { prompts: plan.prompts, repeats, cells };
  process.stdout.write(
    format === 'json' ? `${JSON.stringify(report, undefined, 2)}\n` : renderEmissions(cells),
  );
  const isUnanswered = cells.every(({ outcomes, trials }) => outcomes.failed === trials);
  return isUnanswered ? exitCodes.unknown : exitCodes.good;
}

async function modelOf(
  { provider, baseUrl }: BenchToolsOptions,
  name: string | undefined,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<typeof discoverModel>>> {
  const files = settingsPaths(process.env, process.cwd());
  const { settings } = await loadSettings({ files, env: process.env }, signal);
  const wish = {
    provider: provider ?? settings.model.provider,
    name: name ?? settings.model.name,
    baseUrl: baseUrl ?? settings.model.baseUrl,
    contextTokens: settings.model.contextTokens,
  };
  return discoverModel({ wish, env: process.env, keys: settings.keys }, signal);
}

function promptsOf(ids: readonly string[]): readonly EmissionPrompt[] {
  if (ids.length === 0) return emissionPrompts;
  return ids.map((id) => {
    const found = emissionPrompts.find((prompt) => prompt.id === id);
    if (!found) throw new UnknownPrompt(id);
    return found;
  });
}

class UnknownPrompt extends Failure {
  readonly code = 'cli/unknown-prompt';
  readonly remedy = `Use some of: ${emissionPrompts.map(({ id }) => id).join(', ')}.`;

  constructor(id: string) {
    super(`there is no prompt "${id}"`);
  }
}
