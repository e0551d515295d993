/**
 * Executes the tool calls of one answer.
 *
 * Invariants: every call gets a result, in the order of the calls, whatever happens; calls that only read run
 * concurrently, all others one at a time and after the preceding reads; guards are asked about one call at a time.
 */
import { messageOf } from '../base/failure.ts';
import type { ToolCallPart, ToolResultPart } from '../model/message.ts';
import type { FilePatch } from '../text/unified-diff.ts';
import { boundaryAt, type CallBoundary } from '../tools/boundary.ts';
import { asFailure } from '../tools/failure.ts';
import { askGuards } from '../tools/guard.ts';
import { guardedCall } from '../tools/guarded-call.ts';
import type { PreparedCall } from '../tools/tool.ts';
import { contentOf, type OverlayChange, type ToolResult, withWarnings } from '../tools/tool-result.ts';
import type { AgentContext } from './agent-context.ts';
import type { Conversation } from './conversation.ts';
import { BadCall } from './failure.ts';
import { shownPatch, viewsOf } from './files/agent-root.ts';
import { type Judgement, renderJudgement } from './judgement.ts';
import { failedResult, haltedResult, interruptedResult } from './notice.ts';
import { type CallOrigin, toolNamed } from './reliability/repaired-reply.ts';
import type { TurnEvent } from './turn-event.ts';

export interface ToolRound {
  readonly calls: readonly ToolCallPart[];
  readonly origins: ReadonlyMap<string, CallOrigin>;
  readonly emit: (event: TurnEvent) => void;
}

export interface RoundOutcome {
  readonly results: readonly ToolResultPart[];
  /** Set if a guard halted the turn. */
  readonly boundary: CallBoundary | undefined;
}

/** Does not throw when the signal aborts: the results say which calls were not made. */
export async function runCalls(
  conversation: Conversation,
  round: ToolRound,
  signal: AbortSignal,
): Promise<RoundOutcome> {
  const running = new RunningRound(conversation, round, signal);
  let boundary: CallBoundary | undefined;
  for (const call of round.calls) {
    if (signal.aborted) break;
    boundary = await running.take(call);
    if (boundary) break;
  }
  await running.settled();
  const remaining = boundary ? haltedResult : interruptedResult;
  const results = round.calls.map((call) => running.resultOf(call) ?? failedResult(call, remaining));
  return { results, boundary };
}

/** The context of one call. */
export function agentContextOf(conversation: Conversation, callId: string): AgentContext {
  const { reads } = conversation;
  const { roots, commands, code, permissions } = conversation.setup;
  return {
    callId,
    roots: viewsOf(roots),
    reads,
    commands,
    code,
    hides: (path) => permissions.hides(path),
    setTodos: (todos) => conversation.setTodos(todos),
  };
}

const readsAtOnce = 8;

class RunningRound {
  readonly #conversation: Conversation;
  readonly #round: ToolRound;
  readonly #signal: AbortSignal;
  readonly #results = new Map<ToolCallPart, ToolResultPart>();
  #reads: Promise<void>[] = [];

  constructor(conversation: Conversation, round: ToolRound, signal: AbortSignal) {
    this.#conversation = conversation;
    this.#round = round;
    this.#signal = signal;
  }

  resultOf(call: ToolCallPart): ToolResultPart | undefined {
    return this.#results.get(call);
  }

  async settled(): Promise<void> {
    const reads = this.#reads;
    this.#reads = [];
    await Promise.all(reads);
  }

  /** Executes a call, or starts it if it only reads; returns the boundary if a guard halted it. */
  async take(call: ToolCallPart): Promise<CallBoundary | undefined> {
    const { emit, origins } = this.#round;
    emit({ kind: 'tool-proposed', call, origin: origins.get(call.id) ?? 'native' });
    try {
      const prepared = this.#prepared(call);
      if (prepared.effect !== 'reads' || this.#reads.length >= readsAtOnce) await this.settled();
      const context = this.#context(call);
      const guarded = await guardedCall(call.id, prepared, context);
      const decision = await askGuards(this.#conversation.setup, guarded, this.#signal);
      if (decision.kind === 'halt') return boundaryAt(guarded, decision.reason);
      if (decision.kind === 'deny') {
        emit({ kind: 'tool-denied', id: call.id, reason: decision.reason });
        this.#fail(call, decision.reason);
        return undefined;
      }
      emit({ kind: 'tool-permitted', id: call.id });
      const work = this.#carryOut(call, { prepared, context, warnings: decision.warnings });
      if (prepared.effect === 'reads') this.#reads.push(work);
      else await work;
    } catch (thrown) {
      this.#failed(call, thrown);
    }
    return undefined;
  }

  #prepared({ name, input }: ToolCallPart): PreparedCall<AgentContext> {
    const { tools } = this.#conversation.setup.agent;
    const tool = toolNamed(tools, name);
    if (!tool) {
      throw new BadCall(
        `there is no tool ${name}`,
        `Use one of: ${tools.map((each) => each.name).join(', ')}.`,
      );
    }
    if (input.kind === 'malformed') {
      throw new BadCall(
        'the arguments of this call are not JSON, or were cut off',
        'Repeat the call with complete arguments; split long content into several calls.',
      );
    }
    return tool.prepare(input.value);
  }

  #context({ id }: ToolCallPart): AgentContext {
    const context = agentContextOf(this.#conversation, id);
    const setTodos: AgentContext['setTodos'] = async (todos) => {
      await context.setTodos(todos);
      this.#round.emit({ kind: 'todos', todos });
    };
    return { ...context, setTodos };
  }

  /** Never rejects: a failure becomes the result. */
  async #carryOut(call: ToolCallPart, { prepared, context, warnings }: PermittedCall): Promise<void> {
    this.#round.emit({ kind: 'tool-started', id: call.id });
    try {
      const result = await prepared.run(context, this.#signal);
      const { text, patch } = await this.#landed(call, withWarnings(result, warnings));
      this.#finish(call, {
        outcome: result.isError ? 'failed' : 'done',
        text,
        changed: result.change?.shown ?? [],
        patch,
      });
    } catch (thrown) {
      this.#failed(call, thrown);
    }
  }

  /**
   * Judges and commits the change of a call. It is judged first, because the server compares it with the unchanged
   * files.
   */
  async #landed(call: ToolCallPart, result: ToolResult): Promise<Pick<FinishedCall, 'text' | 'patch'>> {
    const { change, seen = [] } = result;
    let text = contentOf(result).join('\n');
    let patch: readonly FilePatch[] = [];
    if (change) {
      const judgement = await this.#judged(change);
      this.#signal.throwIfAborted();
      const { roots } = this.#conversation.setup;
      const root = roots.find(({ workspace }) => workspace === change.workspace);
      const landed = await root?.files.commit(change.overlay, {}, this.#signal);
      if (landed?.kind === 'conflict') {
        const paths = landed.paths.join(', ');
        throw new BadCall(
          `${paths} changed on disk in the meantime; nothing was written`,
          'Read it again and repeat the call.',
        );
      }
      if (root && landed) patch = shownPatch(roots, root, landed.patch);
      for (const warning of landed?.warnings ?? []) text = `${text}\nWarning: ${warning}.`;
      if (judgement) {
        this.#round.emit({ kind: 'diagnostics', id: call.id, judgement });
        text = `${text}\n${renderJudgement(judgement)}`;
      }
    }
    await this.#conversation.noteSeen(seen);
    return { text, patch };
  }

  /** If the judge fails, the change is reported as not proved. */
  async #judged({ workspace, overlay }: OverlayChange): Promise<Judgement | undefined> {
    const { judge, agent } = this.#conversation.setup;
    if (!judge) return undefined;
    try {
      return await judge.judge(workspace, overlay, this.#signal);
    } catch (thrown) {
      this.#signal.throwIfAborted();
      const { code, message } = asFailure(thrown);
      agent.log.warning('agent.judge-failed', { code, error: message });
      return { verdict: 'unknown', introduced: [], resolved: [], doubts: [message] };
    }
  }

  #failed(call: ToolCallPart, thrown: unknown): void {
    if (this.#signal.aborted) {
      this.#fail(call, interruptedResult);
      return;
    }
    const failure = asFailure(thrown);
    this.#conversation.setup.agent.log.debug('agent.tool-failed', {
      tool: call.name,
      code: failure.code,
      error: messageOf(thrown),
    });
    this.#fail(call, `${sentence(failure.message)} ${failure.remedy}`);
  }

  #fail(call: ToolCallPart, text: string): void {
    this.#finish(call, { outcome: 'failed', text, changed: [], patch: [] });
  }

  #finish(call: ToolCallPart, { outcome, text, changed, patch }: FinishedCall): void {
    const { id, name } = call;
    const result: ToolResultPart = { kind: 'tool-result', id, name, text: bounded(text), outcome };
    this.#results.set(call, result);
    this.#round.emit({ kind: 'tool-finished', result, changed, patch });
  }
}

interface PermittedCall {
  readonly prepared: PreparedCall<AgentContext>;
  readonly context: AgentContext;
  /** Warnings of the guards. */
  readonly warnings: readonly string[];
}

interface FinishedCall {
  readonly outcome: ToolResultPart['outcome'];
  /** The text for the model. */
  readonly text: string;
  readonly changed: readonly string[];
  readonly patch: readonly FilePatch[];
}

const longestResult = 120_000;

/** A single result must not fill the context window. */
function bounded(text: string): string {
  if (text.length <= longestResult) return text;
  return `${text.slice(0, longestResult)}\n(cut: ${text.length - longestResult} more characters; request less at once)`;
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
