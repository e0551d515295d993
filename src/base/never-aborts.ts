/**
 * A signal for work that no caller can abort, such as clean-up.
 *
 * Each call makes its own: `AbortSignal.any` registers every signal it derives with its sources, and one shared signal
 * would keep those registrations for the life of the process.
 */
export function neverAborts(): AbortSignal {
  return new AbortController().signal;
}
