/**
 * The entry point: reads the first argument, loads the command and runs it.
 *
 * Invariant: every exit of the process goes through `runUntilExit`.
 */
import { exitCodes, failureText } from './exit-code.ts';
import { type ProcessLifetime, runUntilExit } from './process-lifetime.ts';

const words = process.argv.slice(2);

await runUntilExit(async (lifetime) => {
  try {
    return await run(lifetime);
  } catch (thrown) {
    // A process terminated by a signal prints no failure; its exit code names the signal.
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

/** Plain `forerun` serves MCP if its input is a program, and prints help for a person. */
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
