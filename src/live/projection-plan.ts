/** Which server judges an overlay and how the overlay is projected to it: decided once, then leased. */
import type { OverlayEffect } from '../servers/overlay-effect.ts';
import type { ProjectionMode } from '../servers/projection-mode.ts';
import type { LocatedServer } from '../servers/server-register.ts';

export interface ProjectionPlan {
  readonly located: LocatedServer;
  readonly effect: OverlayEffect;
  readonly mode: ProjectionMode;
}
