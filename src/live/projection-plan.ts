/** Which server judges an overlay and how the overlay is projected to it: decided once, then leased. */
import type { OverlayEffect, ProjectionMode } from '../servers/projection.ts';
import type { LocatedServer } from '../servers/server-register.ts';

export interface ProjectionPlan {
  readonly located: LocatedServer;
  readonly effect: OverlayEffect;
  readonly mode: ProjectionMode;
}
