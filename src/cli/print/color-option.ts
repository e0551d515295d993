/** The option by which every command that prints colours takes the user's choice. */
import { Option } from 'commander';

export function colorOption(): Option {
  return new Option('--color <when>', 'colour the output')
    .choices(['auto', 'always', 'never'])
    .default('auto');
}
