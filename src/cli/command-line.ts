/**
 * A command line from its words to its exit code.
 *
 * Invariant: nothing is thrown; a failure is printed, and its code returned. Each command is loaded only when it runs.
 */
import { exitCodes, failureText } from './exit-code.ts';
import type { ProcessLifetime } from './process-lifetime.ts';

export async function runCommandLine(lifetime: ProcessLifetime, words: readonly string[]): Promise<number> {
  try {
    if (isServing(words)) return await serve(lifetime, words);
    const { runProgram } = await import('./program.ts');
    return await runProgram(lifetime, words);
  } catch (thrown) {
    // A process terminated by a signal prints no failure; its exit code names the signal.
    if (!lifetime.signal.aborted) process.stderr.write(failureText(thrown));
    return exitCodes.unknown;
  }
}

/** Plain `forerun` serves MCP if its input is a program, and prints help for a person. */
function isServing(words: readonly string[]): boolean {
  if (words[0] === 'mcp') return words[1] !== '--help' && words[1] !== '-h';
  return words.length === 0 && process.stdin.isTTY !== true;
}

async function serve(lifetime: ProcessLifetime, words: readonly string[]): Promise<number> {
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
