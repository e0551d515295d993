/**
 * Failures of a command that the sandbox may have caused: no network, no service of the machine, read-only
 * directories.
 *
 * Invariant: a match proves nothing. It is a reason not to attribute the failure to the command, and to run the
 * command again unconfined.
 */

/** The part of a failed command's output that points to the sandbox; undefined if there is none. */
export function confinementSymptom(output: string): string | undefined {
  return symptoms.exec(output)?.[0];
}

const symptoms =
  /read-only file system|\bEROFS\b|no space left on device|\bENOSPC\b|network is (?:unreachable|down)|\bENETUNREACH\b|\bENETDOWN\b|no route to host|\bEHOSTUNREACH\b|could not resolve (?:host|proxy)|name resolution|name or service not known|nodename nor servname|\bEAI_AGAIN\b|\bENOTFOUND\b|no such host|connection refused|\bECONNREFUSED\b|operation not permitted|\bEPERM\b/i;
