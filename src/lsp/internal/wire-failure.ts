/**
 * Failures as errors of JSON-RPC, and back.
 *
 * Invariant: a failure that crosses a broker keeps its code and its remedy.
 */
import { Failure, messageOf } from '../../base/failure.ts';
import { isRecord } from '../../base/record.ts';
import { BrokeredFailure, ResponseFailed } from '../server-failure.ts';

/** Outside the ranges reserved by the protocols: the error is a failure with a code. */
const namedFailure = -31001;

const requestCancelled = -32800;

const internalError = -32603;
const unknownErrorCode = -32001;

/** An error in a response. */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The error response for a request that failed. */
export function wireErrorOf(thrown: unknown, asked: AbortSignal): WireError {
  if (thrown instanceof ResponseFailed)
    return { code: thrown.number, message: thrown.sentence, data: thrown.data };
  if (asked.aborted) return { code: requestCancelled, message: 'the request was cancelled' };
  if (thrown instanceof Failure) {
    const { code, remedy, message } = thrown;
    return { code: namedFailure, message, data: { code, remedy } };
  }
  return { code: internalError, message: messageOf(thrown) };
}

/** The error of the other side, whatever it has left out. */
export function readWireError(error: unknown): WireError {
  const { code, message, data } = isRecord(error) ? error : {};
  return {
    code: typeof code === 'number' ? code : unknownErrorCode,
    message: String(message),
    data,
  };
}

/** The failure for an error of the other side. */
export function wireFailureOf(error: WireError): Failure {
  const { code: number, message, data } = error;
  if (number === namedFailure && isRecord(data)) {
    const { code, remedy } = data;
    if (typeof code === 'string' && typeof remedy === 'string') {
      return new BrokeredFailure({ code, remedy, message });
    }
  }
  return new ResponseFailed(error);
}
