/**
 * A chat that shows cards, as small as one can be: the host side of the extension's own library, with the card in a
 * sandboxed frame that may load nothing. The test answers its tool calls.
 */
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

declare global {
  interface Window {
    /** Provided by the test. */
    callTool(
      name: string,
      args: Record<string, unknown>,
    ): Promise<Awaited<ReturnType<AppBridge['callTool']>>>;
    said(text: string): Promise<void>;
    showCard(card: ShownCard): Promise<void>;
    cardHeight: number;
  }
}

interface ShownCard {
  readonly html: string;
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly input: Record<string, unknown>;
  readonly result: Parameters<AppBridge['sendToolResult']>[0];
}

window.showCard = async ({ html, theme, width, input, result }) => {
  const frame = document.createElement('iframe');
  frame.sandbox.add('allow-scripts');
  frame.title = 'What if';
  frame.style.cssText = `border:0;width:${width}px;height:560px`;
  const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";
  frame.srcdoc = html.replace(
    '<head>',
    `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
  document.body.replaceChildren(frame);
  document.body.style.background = theme === 'dark' ? '#111' : '#eee';
  const bridge = new AppBridge(
    null,
    { name: 'test host', version: '1' },
    { serverTools: {}, message: {} },
    { hostContext: { theme } },
  );
  bridge.oncalltool = ({ name, arguments: args = {} }) => window.callTool(name, args);
  bridge.onmessage = async ({ content }) => {
    await window.said(content.map((block) => (block.type === 'text' ? block.text : '')).join('\n'));
    return {};
  };
  bridge.onsizechange = ({ height = 0 }) => {
    window.cardHeight = height;
  };
  const ready = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve();
  });
  if (!frame.contentWindow) throw new Error('the frame has no window');
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  await ready;
  await bridge.sendToolInput({ arguments: input });
  await bridge.sendToolResult(result);
};
