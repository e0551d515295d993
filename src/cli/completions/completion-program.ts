/** `forerun completions`: the script that completes words in a shell. */
import { Argument, type Command } from 'commander';
import { shells } from './completion-script.ts';

export function addCompletions(program: Command): void {
  program
    .command('completions')
    .description('print the script that completes the words of this command in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices([...shells]))
    .addHelpText('after', '\nExample:\n  source <(forerun completions bash)')
    .action(async (given: string) => {
      const { completionScript } = await import('./completion-script.ts');
      const { commandTree } = await import('./command-tree.ts');
      const shell = shells.find((each) => each === given);
      if (shell) process.stdout.write(completionScript(shell, commandTree(program)));
    });
}
