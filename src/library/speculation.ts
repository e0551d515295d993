/** `forerun/speculation`: working ahead of a user with a predictor, a worker and a judge of your own. */
export { AcceptedEarly, type Boundary } from '../speculation/engine/boundary.ts';
export { type OfferVerdict, renderOffer } from '../speculation/engine/offer.ts';
export {
  createSpeculation,
  type Speculation,
  type SpeculationOptions,
} from '../speculation/engine/speculation.ts';
export type {
  Landing,
  Meter,
  Prediction,
  Run,
  SpeculationPorts,
  SpendingGate,
} from '../speculation/engine/speculation-ports.ts';
export type {
  AbortReason,
  Acceptance,
  SpeculationEvent,
  SpeculationOutcome,
  SpeculationState,
} from '../speculation/engine/speculation-state.ts';
export { SpeculativeFiles } from '../speculation/speculative-files.ts';
