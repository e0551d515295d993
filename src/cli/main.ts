/**
 * The entry point: runs the command line of this process.
 *
 * Invariant: every exit of the process goes through `runUntilExit`.
 */
import { runCommandLine } from './command-line.ts';
import { runUntilExit } from './process-lifetime.ts';

await runUntilExit((lifetime) => runCommandLine(lifetime, process.argv.slice(2)));
