/** The prompts of the experiment, and the tools that answer them. */
export interface EmissionPrompt {
  readonly id: string;
  readonly text: string;
  /** Any of these tools is right; empty if a plain reply is. */
  readonly expects: readonly string[];
}

export const emissionPrompts: readonly EmissionPrompt[] = [
  { id: 'look', text: 'Show me what is in src/settings.ts.', expects: ['Read'] },
  { id: 'find-files', text: 'Which files in this project end in .test.ts?', expects: ['Glob'] },
  { id: 'find-text', text: 'Find every place where the word TODO is written.', expects: ['Grep'] },
  { id: 'run', text: 'Run npm test and tell me whether it passes.', expects: ['Bash'] },
  {
    id: 'create',
    text: 'Create notes/today.txt with the single line: water the plants',
    expects: ['Write', 'Bash'],
  },
  {
    id: 'change',
    text: 'In src/settings.ts the port is 80. Make it 8080.',
    expects: ['Read', 'Edit', 'MultiEdit', 'Grep', 'Glob'],
  },
  {
    id: 'plan',
    text: 'Put three steps on your list: read the code, write a test, fix the bug.',
    expects: ['TodoWrite'],
  },
  { id: 'known', text: 'What does the HTTP status 404 mean? One sentence.', expects: [] },
  { id: 'thanks', text: 'Thank you, that was all for today.', expects: [] },
];
