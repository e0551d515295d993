/** The card in its frame: follows the theme and the font of the host. */
import { render } from 'preact';
import '../style/tokens.css';
import '../style/editor.css';
import './card.css';
import { Card } from './card.tsx';
import { CardModel } from './card-model.ts';
import { type HostContext, HostLink } from './host-link.ts';

const model = new CardModel();
const link = new HostLink({
  input: (given) => model.input(given),
  result: (result) => model.result(result),
  cancelled: () => model.cancelled(),
  context: follow,
});
model.attach(link);
render(<Card model={model} />, document.body);
link.connect().catch((thrown: unknown) => {
  model.state.value = { kind: 'failed', message: thrown instanceof Error ? thrown.message : String(thrown) };
});

/** Without a theme the colours follow the system. */
function follow({ theme, styles }: HostContext): void {
  const root = document.documentElement;
  if (theme !== undefined) root.dataset.theme = theme;
  const font = styles?.variables?.['--font-sans'];
  if (typeof font === 'string') root.style.setProperty('--font-ui', font);
  const size = styles?.variables?.['--font-text-sm-size'];
  if (typeof size === 'string') root.style.setProperty('--text-md', size);
}
