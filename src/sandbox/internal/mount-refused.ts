/** The machine does not allow a namespace or a mount. */
import { Failure } from '../../base/failure.ts';

export class MountRefused extends Failure {
  readonly code = 'sandbox/mount-refused';
  readonly remedy = 'Allow unprivileged user namespaces on this machine.';
}
