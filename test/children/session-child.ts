/**
 * A process that works on sessions, one command per line of its input, one line of output for each:
 * `create <path>` prints an id, `write <id> <path> <text>`, `commit <id>` and `discard <id>` print what came of it.
 */
import { createInterface } from 'node:readline';
import { SessionProcess } from '../support/session-process.ts';

const [root = '', state = ''] = process.argv.slice(2);
const own = await SessionProcess.open(root, state);
process.stdout.write('ready\n');

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${await answer(line.split(' '))}\n`);
}
process.exit(0);

async function answer([command = '', id = '', path = '', text = '']: readonly string[]): Promise<string> {
  switch (command) {
    case 'create':
      return (await own.create()).id;
    case 'write':
      return own.write(own.sessions.find(id), path, text).then(
        () => 'written',
        (thrown: unknown) => String(Object(thrown).code ?? thrown),
      );
    case 'commit':
    case 'discard':
      return own.finish(id, command);
    default:
      return 'unknown command';
  }
}
