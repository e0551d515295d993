/** The keys of every command; each can be given another. */
import type { VNode } from 'preact';
import type { Command } from '../shell/command-store.ts';
import type { Page } from '../shell/page.ts';
import { Button, Keys } from '../ui/button.tsx';

export function KeyTable({ page, wanted }: { readonly page: Page; readonly wanted: string }): VNode | null {
  const commands = page.commands.all.value.filter(({ title }) => title.toLowerCase().includes(wanted));
  if (commands.length === 0) return null;
  const sorted = [...commands].sort((a, b) => a.title.localeCompare(b.title));
  return (
    <section class="stack" style={{ gap: '8px' }} aria-label="Keys">
      <h2>Keys</h2>
      <div class="card">
        {sorted.map((command) => (
          <div key={command.id} class="setr key-row">
            <span>{command.title}</span>
            <span class="ctl">
              <Keys keys={page.commands.keysOf(command.id)} />
              {command.id in page.settings.keys.value && (
                <Button
                  look="quiet"
                  size="small"
                  onClick={() => page.run(() => page.settings.setKeys(command.id, undefined))}
                >
                  Reset
                </Button>
              )}
              <Button size="small" onClick={() => rebind(page, command)}>
                Change…
              </Button>
            </span>
          </div>
        ))}
      </div>
    </section>
  );
}

function rebind(page: Page, command: Command): void {
  page.run(async () => {
    const { answer, text } = await page.dialogs.ask({
      title: `Keys for “${command.title}”`,
      body: <p class="sm muted">For example Ctrl Shift L, or Ctrl K then L written as Ctrl K L.</p>,
      field: { label: 'Keys', value: page.commands.keysOf(command.id).join(' ') },
      choices: [
        { answer: 'cancel', title: 'Cancel' },
        { answer: 'set', title: 'Set', look: 'primary' },
      ],
      safe: 'cancel',
    });
    if (answer === 'set') await page.settings.setKeys(command.id, text.trim() === '' ? [] : [text.trim()]);
  });
}
