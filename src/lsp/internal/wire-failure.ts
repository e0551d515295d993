/**
 * Failures as errors of JSON-RPC, and back.
 *
 * Invariant: a failure that crosses a broker keeps its code and its remedy.
 */
import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';
import { Failure, messageOf } from '../../base/failure.ts';
import { isRecord } from '../../base/record.ts';
import { BrokeredFailure, ResponseFailed } from '../server-failure.ts';

/** Outside the ranges reserved by the protocols: the error is a failure with a code. */
const namedFailure = -31001;

const requestCancelled = -32800;

/** The error response for a request that failed. */
export function responseErrorOf(thrown: unknown, asked: AbortSignal): ResponseError<unknown> {
  if (thrown instanceof ResponseError) return thrown;
  if (thrown instanceof ResponseFailed) {
    return new ResponseError(thrown.number, thrown.sentence, thrown.data);
  }
  if (asked.aborted) return new ResponseError(requestCancelled, 'the request was cancelled');
  if (thrown instanceof Failure) {
    const { code, remedy, message } = thrown;
    return new ResponseError(namedFailure, message, { code, remedy });
  }
  return new ResponseError(ErrorCodes.InternalError, messageOf(thrown));
}

/** The failure for an error of the other side. */
export function wireFailureOf(error: ResponseError<unknown>): Failure {
  const { code: number, message, data } = error;
  if (number === namedFailure && isRecord(data)) {
    const { code, remedy } = data;
    if (typeof code === 'string' && typeof remedy === 'string') {
      return new BrokeredFailure({ code, remedy, message });
    }
  }
  return new ResponseFailed(error);
}
