/** `forerun/evaluation`: the Evaluator port, and requests and outcomes as data, for programs that evaluate in another process. */
export {
  decodeRequest,
  type EncodedRequest,
  encodeRequest,
  MalformedRequest,
} from '../evaluation/encoded-request.ts';
export type { EvaluationOutcome, EvaluationRequest, Evaluator } from '../evaluation/evaluator.ts';
export { LocalEvaluator } from '../evaluation/local-evaluator.ts';
export { MalformedOutcome, parseOutcome } from '../evaluation/outcome-schema.ts';
export { evaluateWhole } from '../evaluation/whole-evaluation.ts';
