/**
 * Ghost text: what may follow at the caret, from the language server or from a model.
 *
 * Invariants: every ghost is evaluated in its file before it is shown; one that introduces an error is held back and
 * counted. One request is in flight: a new one ends the one before, through to the provider. While the agent generates on
 * a model of this machine, no ghost is asked of it.
 */
import { callCodeTool } from '../../agent/code-connection.ts';
import { Failure } from '../../base/failure.ts';
import { LocalEvaluator } from '../../evaluation/local-evaluator.ts';
import type { FoundModel } from '../../model/discover-model.ts';
import { textOf } from '../../model/message.ts';
import { collectReply } from '../../model/reply.ts';
import { Overlay } from '../../overlay/overlay.ts';
import { LineIndex } from '../../text/position.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { Buffers } from '../buffers.ts';
import type { EditorContext } from '../editor-context.ts';
import type { EditorFeature, Handlers } from '../editor-feature.ts';
import type { GhostLayer, GhostState } from '../protocol/ghost.ts';
import type { ParamsOf, ResultOf, Snapshot } from '../protocol.ts';
import { completionItems, knownNames, type OfferedName, serverGhost } from './ghost-names.ts';
import { ghostIn, ghostRequest } from './ghost-text.ts';

export interface GhostModel {
  readonly find: (signal: AbortSignal) => Promise<FoundModel>;
  /** Whether a ghost may be asked of it now. */
  readonly use: () => GhostState['provider'];
}

type GhostMethod = 'ghost.ask' | 'ghost.turn';

const checkMs = 5_000;
const modelMs = 10_000;
const keptReasons = 5;

export class GhostFeature implements EditorFeature<GhostMethod> {
  readonly #context: EditorContext;
  readonly #buffers: Buffers;
  readonly #model: GhostModel;
  readonly #on: Record<GhostLayer, boolean> = { server: true, model: true };
  readonly #inFlight = new Map<GhostLayer, AbortController>();
  #checked = 0;
  #held = 0;
  #reasons: GhostState['reasons'] = [];

  constructor(context: EditorContext, buffers: Buffers, model: GhostModel) {
    this.#context = context;
    this.#buffers = buffers;
    this.#model = model;
  }

  readonly handlers: Handlers<GhostMethod> = {
    'ghost.ask': (params, _source, signal) => this.#ask(params, signal),
    'ghost.turn': async ({ layer, choice }) => {
      this.#on[layer] = choice === 'on';
      this.#changed();
      return {};
    },
  };

  get state(): GhostState {
    const { server, model } = this.#on;
    const provider = this.#model.use();
    return { server, model, provider, checked: this.#checked, held: this.#held, reasons: this.#reasons };
  }

  snapshot(): Partial<Snapshot> {
    return { ghost: this.state };
  }

  /** The model is another one, or is busy, or free again. */
  modelChanged(): void {
    if (this.#model.use() === 'paused') this.#inFlight.get('model')?.abort(paused());
    this.#changed();
  }

  async #ask(
    { path: named, version, offset, layer }: ParamsOf<'ghost.ask'>,
    caller: AbortSignal,
  ): Promise<ResultOf<'ghost.ask'>> {
    const path = await this.#context.live.workspace.resolve(named);
    const buffer = this.#buffers.require(path);
    const text = buffer.text.toString();
    if (!this.#on[layer] || buffer.version !== version || offset > text.length) return nothing;
    if (layer === 'model' && this.#model.use() !== 'ready') return nothing;
    this.#inFlight.get(layer)?.abort(new DOMException('a newer request', 'AbortError'));
    const own = new AbortController();
    this.#inFlight.set(layer, own);
    const signal = AbortSignal.any([caller, own.signal, AbortSignal.timeout(modelMs)]);
    try {
      const place = { path, text, offset };
      const ghost =
        layer === 'server' ? await this.#fromServer(place, signal) : await this.#fromModel(place, signal);
      if (ghost === undefined) return nothing;
      const reason = await this.#reasonToHold(place, ghost, signal);
      if (reason === undefined) return { text: ghost, isHeld: false };
      this.#reasons = [{ text: ghost, reason }, ...this.#reasons].slice(0, keptReasons);
      return { isHeld: true };
    } catch (thrown) {
      if (signal.aborted || thrown instanceof Failure) return nothing;
      throw thrown;
    } finally {
      if (this.#inFlight.get(layer) === own) this.#inFlight.delete(layer);
      this.#changed();
    }
  }

  async #fromServer(place: TextPlace, signal: AbortSignal): Promise<string | undefined> {
    return serverGhost(await this.#completions(place, signal), place.text.slice(0, place.offset));
  }

  async #fromModel({ path, text, offset }: TextPlace, signal: AbortSignal): Promise<string | undefined> {
    const { client, model } = await this.#model.find(signal);
    const [before, after] = [text.slice(0, offset), text.slice(offset)];
    const known = knownNames(await this.#completions({ path, text, offset }, signal).catch(() => []));
    signal.throwIfAborted();
    const reply = await collectReply(
      client.stream(ghostRequest(model, { path, before, after, known }), signal),
    );
    return ghostIn(textOf(reply.message), { before, after });
  }

  async #completions(
    { path, text, offset }: TextPlace,
    signal: AbortSignal,
  ): Promise<readonly OfferedName[]> {
    const { connection, live } = this.#context;
    const { line, character } = new LineIndex(text).positionAt(offset);
    const caller = { documents: connection.documents, setLogLevel: () => {}, progress: () => {} };
    const { tools, guards, context } = connection;
    const call = {
      id: 'ghost',
      name: 'get_completions',
      arguments: {
        file_path: live.workspace.absolute(path),
        line: line + 1,
        column: character + 1,
        limit: 60,
      },
      roots: [{ name: '', workspace: live.workspace, overlay: this.#buffers.overlay() }],
    } as const;
    return completionItems(
      await callCodeTool({ context: { ...context, connection: caller }, tools, guards }, call, signal),
    );
  }

  /** Why a ghost must not be shown; undefined if nothing speaks against it. */
  async #reasonToHold(place: TextPlace, ghost: string, signal: AbortSignal): Promise<string | undefined> {
    const { path, text, offset } = place;
    const { live, log } = this.#context;
    const whole = text.slice(0, offset) + ghost + text.slice(offset);
    const below = this.#buffers.overlay().writeText(path, text);
    const overlay = Overlay.on(below).writeText(path, whole);
    const outcome = await new LocalEvaluator(live, log).evaluate(
      {
        workspace: live.workspace,
        overlay,
        scope: 'file',
        timeoutMs: checkMs,
        against: 'beneath',
        caller: 'ghost',
      },
      signal,
    );
    if (outcome.kind !== 'evaluated' || outcome.evaluations.length === 0) return undefined;
    this.#checked += 1;
    const errors = outcome.evaluations
      .flatMap(({ introduced }) => introduced)
      .filter(({ diagnostic }) => diagnostic.severity === 'error');
    if (errors.length > 0) this.#held += 1;
    return errors[0]?.diagnostic.message.split('\n')[0];
  }

  #changed(): void {
    this.#context.publish({ kind: 'ghost.state', state: this.state });
  }
}

interface TextPlace {
  readonly path: WorkspacePath;
  readonly text: string;
  readonly offset: number;
}

const nothing: ResultOf<'ghost.ask'> = { isHeld: false };

function paused(): DOMException {
  return new DOMException('the agent is using the model', 'AbortError');
}
