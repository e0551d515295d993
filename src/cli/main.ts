/**
 * Where the program begins: looks at the first word, loads what that command needs and runs it.
 *
 * Invariant: every way out of the process goes through `runUntilExit`.
 */
import { exitCodes, failureText } from './exit-code.ts';
import { type ProcessLifetime, runUntilExit } from './process-lifetime.ts';

const words = process.argv.slice(2);

await runUntilExit(async (lifetime) => {
  try {
    return await run(lifetime);
  } catch (thrown) {
    // Whoever was told to end has nothing to complain of; its code says what ended it.
    if (lifetime.signal.aborted) return exitCodes.unknown;
    process.stderr.write(failureText(thrown));
    return exitCodes.unknown;
  }
});

async function run(lifetime: ProcessLifetime): Promise<number> {
  if (isServing(words)) return serve(lifetime);
  const { runProgram } = await import('./program.ts');
  return runProgram(lifetime, words);
}

/** Bare `forerun` serves when a program is on the other end, and shows its doors to a person. */
function isServing(given: readonly string[]): boolean {
  if (given[0] === 'mcp') return given[1] !== '--help' && given[1] !== '-h';
  return given.length === 0 && process.stdin.isTTY !== true;
}

async function serve(lifetime: ProcessLifetime): Promise<number> {
  const { readMcpArguments } = await import('./mcp/mcp-arguments.ts');
  const { mcpCommand } = await import('./mcp/mcp-command.ts');
  try {
    return await mcpCommand(lifetime, readMcpArguments(words.slice(1)));
  } catch (thrown) {
    process.stderr.write(
      `${failureText(thrown)}usage: forerun mcp [language:binary[,args…] …] (see forerun mcp --help)\n`,
    );
    return exitCodes.bad;
  }
}
