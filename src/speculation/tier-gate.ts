/**
 * What a speculation may do: look at anything, change what only it can see, and nothing that lasts.
 *
 * Invariant: where a live turn would have to ask the user, a speculation stops; where a rule of the user forbids
 * something, it is told so as a live turn would be.
 */
import type { PermissionGuard } from '../agent/permission/permission-guard.ts';
import type { GateDecision, GatedCall, ToolGate } from '../agent/tool-gate.ts';
import { unreachable } from '../base/unreachable.ts';
import { outwardEffect } from './outward-command.ts';

export class TierGate implements ToolGate {
  readonly #permissions: PermissionGuard;

  constructor(permissions: PermissionGuard) {
    this.#permissions = permissions;
  }

  async decide(call: GatedCall): Promise<GateDecision> {
    const standing = this.#permissions.standing(call);
    const isPlanning = this.#permissions.mode === 'plan';
    if (standing.kind === 'deny' && !isPlanning) return standing;
    switch (call.effect) {
      case 'reads':
        return standing.kind === 'deny' ? standing : { kind: 'allow' };
      case 'overlay':
        return standing.kind === 'allow' ? standing : halt('edit', call, pathsOf(call));
      case 'process':
        return isPlanning ? halt('bash', call, commandOf(call)) : shell(call);
      case 'disk':
      case 'network':
        return halt('denied_tool', call, call.tool);
      default:
        return unreachable(call.effect);
    }
  }
}

/** Whether the user's mode lets files be changed without asking, whatever changes them. */
export function allowsEdits({ mode }: Pick<PermissionGuard, 'mode'>): boolean {
  return mode === 'acceptEdits' || mode === 'bypassPermissions';
}

/** A sandbox may run anything; but what a command does beyond the files would be lost with it. */
function shell(call: GatedCall): GateDecision {
  const command = commandOf(call);
  return outwardEffect(command) === undefined ? { kind: 'allow' } : halt('bash', call, command);
}

function halt(kind: string, { tool }: GatedCall, detail: string): GateDecision {
  return { kind: 'halt', boundary: { kind, tool, detail } };
}

function commandOf({ subject, tool }: GatedCall): string {
  return subject.kind === 'command' ? subject.command : tool;
}

function pathsOf({ subject, tool }: GatedCall): string {
  return subject.kind === 'paths' ? subject.paths.map(({ shown }) => shown).join(', ') : tool;
}
