/** A namespace or a mount that the machine does not allow. */
import { Failure } from '../../base/failure.ts';

export class MountRefused extends Failure {
  readonly code = 'sandbox/mount-refused';
  readonly remedy = 'Allow unprivileged user namespaces, or let workspaces be copied instead of mounted.';
}
