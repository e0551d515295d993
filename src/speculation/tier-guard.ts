/**
 * The limits of a speculation: it may read anything, change its own overlay, and do nothing permanent.
 *
 * Invariant: where a live turn would ask the user, a speculation stops; where a rule of the user denies a call, it is
 * denied as in a live turn.
 */
import type { PermissionGuard } from '../agent/permission/permission-guard.ts';
import { unreachable } from '../base/unreachable.ts';
import type { Guard, GuardDecision } from '../tools/guard.ts';
import type { GuardedCall } from '../tools/guarded-call.ts';
import { outwardEffect } from './outward-command.ts';

export class TierGuard implements Guard {
  readonly #permissions: PermissionGuard;

  constructor(permissions: PermissionGuard) {
    this.#permissions = permissions;
  }

  async decide(call: GuardedCall): Promise<GuardDecision> {
    const standing = await this.#permissions.decide(call);
    const isPlanning = this.#permissions.mode === 'plan';
    if (standing.kind === 'deny' && !isPlanning) return standing;
    switch (call.effect) {
      case 'reads':
        return standing.kind === 'deny' ? standing : { kind: 'allow' };
      case 'overlay':
        return standing.kind === 'allow' ? standing : halt(pathsOf(call));
      case 'process':
        return isPlanning ? halt(commandOf(call)) : shell(call);
      case 'disk':
      case 'network':
        return halt(call.tool);
      default:
        return unreachable(call.effect);
    }
  }
}

/** Whether the user's mode allows changing files without asking. */
export function allowsEdits({ mode }: Pick<PermissionGuard, 'mode'>): boolean {
  return mode === 'acceptEdits' || mode === 'bypassPermissions';
}

/** A sandbox may run any command; but effects beyond the files would be lost. */
function shell(call: GuardedCall): GuardDecision {
  const command = commandOf(call);
  return outwardEffect(command) === undefined ? { kind: 'allow' } : halt(command);
}

function halt(reason: string): GuardDecision {
  return { kind: 'halt', reason };
}

function commandOf({ subject, tool }: GuardedCall): string {
  return subject.kind === 'command' ? subject.command : tool;
}

function pathsOf({ subject, tool }: GuardedCall): string {
  return subject.kind === 'paths' ? subject.paths.map(({ shown }) => shown).join(', ') : tool;
}
