/**
 * What keeps a model from answering.
 *
 * Invariant: no sentence here holds a key.
 */
import { Failure } from '../base/failure.ts';

export abstract class ModelFailure extends Failure {
  /** Whether the same request may succeed a little later. */
  readonly recovery: 'later' | 'never' = 'never';
  /** How long the provider asked to be left alone. */
  readonly retryAfterMs: number | undefined = undefined;
}

export class BadKey extends ModelFailure {
  readonly code = 'model/bad-key';
  readonly remedy: string;

  constructor(message: string, variable: string | undefined) {
    super(message);
    this.remedy = variable
      ? `Set ${variable} to a valid key that may use this model.`
      : 'Check the key this server expects, and that it may use this model.';
  }
}

export class MissingKey extends ModelFailure {
  readonly code = 'model/missing-key';
  readonly remedy: string;

  constructor(provider: string, variable: string) {
    super(`there is no key for ${provider}`);
    this.remedy = `Set ${variable}, or run: forerun config set keys.${provider} - (it reads the key from standard input).`;
  }
}

export class NoCredit extends ModelFailure {
  readonly code = 'model/no-credit';
  readonly remedy = 'Add credit or raise the spending limit at the provider, or choose another model.';
}

export class UnknownModel extends ModelFailure {
  readonly code = 'model/unknown-model';
  readonly remedy: string;

  constructor(message: string, known: readonly string[] = []) {
    super(message);
    const names = known.length > 0 ? ` There are: ${known.slice(0, 12).join(', ')}.` : '';
    this.remedy = `Check model.name and model.baseUrl (forerun config list).${names}`;
  }
}

export class ContextTooLong extends ModelFailure {
  readonly code = 'model/context-too-long';
  readonly remedy = 'Shorten the conversation, or raise model.contextTokens where the model allows it.';
}

export class ToolsUnsupported extends ModelFailure {
  readonly code = 'model/tools-unsupported';
  readonly remedy = 'Choose a model that can call tools (forerun config set model.name …).';
}

export class Overloaded extends ModelFailure {
  readonly code = 'model/overloaded';
  readonly remedy: string;
  override readonly recovery = 'later';
  override readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.remedy =
      retryAfterMs === undefined
        ? 'Try again in a moment.'
        : `Try again in ${Math.ceil(retryAfterMs / 1000)} seconds.`;
  }
}

export class ProviderFailed extends ModelFailure {
  readonly code = 'model/provider-failed';
  readonly remedy = "Try again; if it stays, look at the provider's status or the local server's log.";
  override readonly recovery = 'later';
}

export class Unreachable extends ModelFailure {
  readonly code = 'model/unreachable';
  readonly remedy =
    'Start the server, or check model.baseUrl (forerun config get model.baseUrl) and the network.';
  override readonly recovery = 'later';
}

/** The server took the request and said nothing for longer than a connection is kept. */
export class ModelSilent extends ModelFailure {
  readonly code = 'model/silent';
  readonly remedy =
    'Look at the load of the server; a smaller model or a shorter conversation answers sooner.';
}

export class RequestRefused extends ModelFailure {
  readonly code = 'model/request-refused';
  readonly remedy = 'Check the model settings (forerun config list) against what this model accepts.';
}

export class MalformedStream extends ModelFailure {
  readonly code = 'model/malformed-stream';
  readonly remedy =
    'Check that model.provider fits the server at model.baseUrl, and that the server is current.';
}

/** The connection ended before the answer did. */
export class StreamCut extends ModelFailure {
  readonly code = 'model/stream-cut';
  readonly remedy = 'Ask again; what had arrived is not the whole answer.';
  override readonly recovery = 'later';
}

export class NoModelFound extends ModelFailure {
  readonly code = 'model/none-found';
  readonly remedy =
    'Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or start a local server that has a model (for example: ollama pull qwen3), or name one with: forerun config set model.provider …';
}
