/** The field in which a person writes to the agent. */
import type { Locator } from 'playwright-core';
import type { EditorTab } from './shown-editor.ts';

export function prompt(tab: EditorTab): Locator {
  return tab.page.getByRole('textbox', { name: 'Message to the agent' });
}

export async function say(tab: EditorTab, text: string): Promise<void> {
  await prompt(tab).fill(text);
  await prompt(tab).press('Enter');
}
