/**
 * Measures how reliably models call tools, varying one parameter at a time.
 *
 * Invariant: two compared cells of one model differ in one parameter only; every cell gets the same prompts equally
 * often.
 */
import type { AgentTool } from '../../agent/agent-context.ts';
import { codeTools } from '../../agent/code-tools.ts';
import { toolkit } from '../../agent/toolkit.ts';
import type { ModelClient } from '../../model/model-client.ts';
import type { Tool } from '../../tools/tool.ts';
import { textResult } from '../../tools/tool-result.ts';
import type { EmissionPrompt } from './emission-prompt.ts';
import { type EmissionOutcome, tryEmission } from './emission-trial.ts';

export interface EmissionPlan {
  readonly prompts: readonly EmissionPrompt[];
  /** The first value of each is used while the other parameter varies. */
  readonly temperatures: readonly number[];
  readonly toolCounts: readonly number[];
  readonly repeats: number;
  readonly maxTokens: number;
}

export interface EmissionModel {
  readonly client: ModelClient;
  readonly model: string;
}

export interface EmissionCell {
  readonly model: string;
  readonly provider: string;
  readonly temperature: number;
  readonly tools: number;
  readonly trials: number;
  readonly outcomes: Readonly<Record<EmissionOutcome, number>>;
  readonly byPrompt: Readonly<Record<string, Readonly<Partial<Record<EmissionOutcome, number>>>>>;
}

export interface EmissionKnobs {
  readonly temperature: number;
  readonly tools: number;
}

/** The tested combinations: each parameter varied alone, from the same starting point. */
export function cellsOf({ temperatures, toolCounts }: EmissionPlan): readonly EmissionKnobs[] {
  const [temperature = 0] = temperatures;
  const [tools = 8] = toolCounts;
  const turned = [
    ...temperatures.map((each) => ({ temperature: each, tools })),
    ...toolCounts.map((each) => ({ temperature, tools: each })),
  ];
  return turned.filter(
    (cell, index) =>
      turned.findIndex((other) => other.temperature === cell.temperature && other.tools === cell.tools) ===
      index,
  );
}

export async function measureCell(
  { client, model }: EmissionModel,
  {
    knobs,
    plan,
    tools,
  }: { readonly knobs: EmissionKnobs; readonly plan: EmissionPlan; readonly tools: readonly AgentTool[] },
  signal: AbortSignal,
): Promise<EmissionCell> {
  const { temperature } = knobs;
  const sampling = { temperature, thinking: 'off' } as const;
  const agent = { client, model, sampling, maxTokens: plan.maxTokens, tools };
  const outcomes = noOutcomes();
  const byPrompt: Record<string, Partial<Record<EmissionOutcome, number>>> = {};
  for (const prompt of plan.prompts) {
    const tally: Partial<Record<EmissionOutcome, number>> = {};
    byPrompt[prompt.id] = tally;
    for (let repeat = 0; repeat < plan.repeats; repeat += 1) {
      const outcome = await tryEmission(agent, prompt, signal);
      outcomes[outcome] += 1;
      tally[outcome] = (tally[outcome] ?? 0) + 1;
    }
  }
  const trials = plan.prompts.length * plan.repeats;
  return { model, provider: client.name, temperature, tools: tools.length, trials, outcomes, byPrompt };
}

/** The requested number of tools: the agent's own first, then tools of the catalogue, so that all are real tools. */
export function toolsToOffer(catalogue: readonly Tool[], count: number): readonly AgentTool[] {
  const own = toolkit(codeTools(catalogue), { assistance: 'none' });
  const further = catalogue.filter(({ name }) => !own.some((tool) => tool.name === name));
  return [...own, ...further.map(asOffered)].slice(0, count);
}

/** For the offer only: a trial executes nothing. */
function asOffered(tool: Tool): AgentTool {
  const subject = async () => ({ kind: 'none' }) as const;
  const run = async () => ({ ...textResult('Nothing is executed here.'), isError: true });
  return { ...tool, prepare: (given) => ({ ...tool.prepare(given), subject, run }) };
}

function noOutcomes(): Record<EmissionOutcome, number> {
  return {
    native: 0,
    salvaged: 0,
    forced: 0,
    plain: 0,
    none: 0,
    'wrong tool': 0,
    'invalid args': 0,
    failed: 0,
  };
}
