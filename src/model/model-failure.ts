/**
 * Failures of a model.
 *
 * Invariant: no message contains a key.
 */
import { Failure } from '../base/failure.ts';

export abstract class ModelFailure extends Failure {
  /** Whether the same request may succeed later. */
  readonly recovery: 'later' | 'never' = 'never';
  /** The delay that the provider asked for. */
  readonly retryAfterMs: number | undefined = undefined;
}

export class BadKey extends ModelFailure {
  readonly code = 'model/bad-key';
  readonly remedy: string;

  constructor(message: string, variable: string | undefined) {
    super(message);
    this.remedy = variable
      ? `Set ${variable} to a valid key with access to this model.`
      : 'Check the key of this server and its access to this model.';
  }
}

export class MissingKey extends ModelFailure {
  readonly code = 'model/missing-key';
  readonly remedy: string;

  constructor(provider: string, variable: string) {
    super(`there is no key for ${provider}`);
    this.remedy = `Set ${variable}, or keys.${provider} in your settings.`;
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
    this.remedy = `Check the settings model.name and model.baseUrl.${names}`;
  }
}

export class ContextTooLong extends ModelFailure {
  readonly code = 'model/context-too-long';
  readonly remedy = 'Shorten the conversation, or raise model.contextTokens if the model allows it.';
}

export class ToolsUnsupported extends ModelFailure {
  readonly code = 'model/tools-unsupported';
  readonly remedy = 'Set model.name to a model that can call tools.';
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
  readonly remedy = "Try again; if it fails again, check the provider's status or the local server's log.";
  override readonly recovery = 'later';
}

export class Unreachable extends ModelFailure {
  readonly code = 'model/unreachable';
  readonly remedy = 'Start the server, or check the setting model.baseUrl and the network.';
  override readonly recovery = 'later';
}

/** The server accepted the request and sent nothing until the timeout. */
export class ModelSilent extends ModelFailure {
  readonly code = 'model/silent';
  readonly remedy =
    'Check the load of the server; a smaller model or a shorter conversation is answered sooner.';
}

export class RequestRefused extends ModelFailure {
  readonly code = 'model/request-refused';
  readonly remedy = 'Compare the model settings with what this model accepts.';
}

export class MalformedStream extends ModelFailure {
  readonly code = 'model/malformed-stream';
  readonly remedy =
    'Check that model.provider matches the server at model.baseUrl, and that the server is up to date.';
}

/** The connection ended before the answer was complete. */
export class StreamCut extends ModelFailure {
  readonly code = 'model/stream-cut';
  readonly remedy = 'Ask again; the received part is not the whole answer.';
  override readonly recovery = 'later';
}

export class NoModelFound extends ModelFailure {
  readonly code = 'model/none-found';
  readonly remedy =
    'Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or start a local server that has a model (for example: ollama pull qwen3), or set model.provider.';
}
