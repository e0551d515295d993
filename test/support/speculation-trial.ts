/**
 * A conversation with work ahead of it, on a scripted model and real files.
 *
 * Invariant: the last message that the model was given decides what it suggests and does, so nothing depends on the order in
 * which requests arrive.
 */
import type { CommandRunner } from '../../src/agent/command-runner.ts';
import type { Conversation } from '../../src/agent/conversation.ts';
import { silentLog } from '../../src/base/log.ts';
import { AgentSpeculation, type AgentSpeculationOptions } from '../../src/speculation/agent-speculation.ts';
import { CostGovernor } from '../../src/speculation/cost-governor.ts';
import type { SpeculationEvent, SpeculationState } from '../../src/speculation/engine/speculation-state.ts';
import { AgentTrial, type TrialOptions, turn } from './agent-trial.ts';
import type { RecordedRequest, ScriptedAnswer } from './scripted-provider.ts';

/** What the model does about an input, round by round, and what it would suggest when it is done. */
export interface Scene {
  readonly rounds: readonly ScriptedAnswer[];
  readonly suggests?: ScriptedAnswer;
}

export interface SpeculationTrialOptions extends TrialOptions {
  readonly scenes: Readonly<Record<string, Scene>>;
  readonly speculation?: Partial<AgentSpeculationOptions>;
  readonly runner?: CommandRunner;
}

export class SpeculationTrial implements AsyncDisposable {
  readonly trial: AgentTrial;
  readonly conversation: Conversation;
  readonly speculation: AgentSpeculation;
  readonly events: SpeculationEvent[] = [];
  #onRequest: (() => void)[] = [];
  /** How many places for commands are open. */
  openPlaces = 0;

  private constructor(trial: AgentTrial, conversation: Conversation, options: SpeculationTrialOptions) {
    this.trial = trial;
    this.conversation = conversation;
    this.speculation = new AgentSpeculation({
      conversation,
      openCommands: () => this.#place(options.runner ?? conversation.setup.commands),
      governor: new CostGovernor({ past: [], dailyTokens: Number.POSITIVE_INFINITY, price: 'free' }),
      interaction: 'interactive',
      depth: 1,
      log: silentLog,
      ...options.speculation,
    });
    this.speculation.subscribe((event) => this.events.push(event));
    trial.provider.script((request) => {
      for (const received of this.#onRequest.splice(0)) received();
      return answerTo(request, options.scenes);
    });
  }

  static async open(
    files: Readonly<Record<string, string>>,
    options: SpeculationTrialOptions,
  ): Promise<SpeculationTrial> {
    const trial = await AgentTrial.open(files, options);
    return new SpeculationTrial(trial, await trial.kept(), options);
  }

  /** Lives through a real turn, and has the next input guessed. */
  async say(text: string): Promise<void> {
    const { outcome } = await turn(this.conversation, text);
    if (!outcome) throw new Error('the turn did not end');
    this.speculation.begin(outcome);
  }

  /** Resolves with the state of that kind of the speculation that is `ahead`, as soon as it has it; fails once it cannot. */
  until<Kind extends SpeculationState['kind']>(
    kind: Kind,
    ahead = 0,
  ): Promise<SpeculationState & { readonly kind: Kind }> {
    return new Promise((resolve, reject) => {
      const look = (state: SpeculationState | undefined): boolean => {
        if (isOf(state, kind)) resolve(state);
        else if (!isOf(state, 'silent') && !isOf(state, 'aborted')) return false;
        else reject(new Error(`it ended as ${JSON.stringify(state)}`));
        return true;
      };
      if (look(ahead === 0 ? this.speculation.state : this.speculation.states[ahead])) return;
      const listening = this.speculation.subscribe(({ state, ahead: place }) => {
        const isOver = isOf(state, 'silent') || isOf(state, 'aborted');
        if ((place === ahead || (place < ahead && isOver)) && look(state)) listening[Symbol.dispose]();
      });
    });
  }

  /** Resolves when the model has been asked that often. */
  async asked(count: number): Promise<void> {
    const { requests } = this.trial.provider;
    while (requests.length < count) await new Promise<void>((resolve) => this.#onRequest.push(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.speculation[Symbol.asyncDispose]();
    await this.trial[Symbol.asyncDispose]();
  }

  #place(runner: CommandRunner): CommandRunner & AsyncDisposable {
    this.openPlaces += 1;
    return {
      run: (request, signal) => runner.run(request, signal),
      [Symbol.asyncDispose]: async () => {
        this.openPlaces -= 1;
      },
    };
  }
}

function isOf<Kind extends SpeculationState['kind']>(
  state: SpeculationState | undefined,
  kind: Kind,
): state is SpeculationState & { readonly kind: Kind } {
  return state?.kind === kind;
}

/** The words of the user that lead to this request, and how many answers there were since. */
export function answerTo({ json }: RecordedRequest, scenes: Readonly<Record<string, Scene>>): ScriptedAnswer {
  const messages = Array.isArray(json.messages)
    ? json.messages.map((message) => JSON.stringify(message))
    : [];
  const isAsked = messages.at(-1)?.includes('<next-input>') === true;
  const inputs = Object.keys(scenes);
  const names = (message: string): string | undefined =>
    inputs.find((input) => message.includes(JSON.stringify(input).slice(1)));
  const at = messages.findLastIndex((message) => message.includes('"user"') && names(message) !== undefined);
  const scene = scenes[names(messages[at] ?? '') ?? ''];
  if (isAsked) return scene?.suggests ?? [{ text: 'silence' }];
  const rounds = messages.slice(at + 1).filter((message) => message.includes('"role":"assistant"')).length;
  return scene?.rounds[rounds] ?? [{ text: 'There is nothing to do.' }];
}
