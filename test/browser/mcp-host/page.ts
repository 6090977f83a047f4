import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

/** What the test puts into the page's address. */
interface Wish {
  readonly server: string;
  readonly key: string;
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  readonly theme?: 'light' | 'dark';
  /** Without resources, the page has to do with tools. */
  readonly resources: boolean;
}

const wish = JSON.parse(new URL(location.href).searchParams.get('wish') ?? '') as Wish;
const frame = document.querySelector('iframe') as HTMLIFrameElement;
const view = frame.contentWindow as Window;

const client = new Client({ name: 'test host', version: '1' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(
  new StreamableHTTPClientTransport(new URL(`${wish.server}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${wish.key}` } },
  }),
);
const { tools } = await client.listTools();
const tool = tools.find(({ name }) => name === wish.tool);
const result = await client.callTool({ name: wish.tool, arguments: wish.arguments });
const bridge = new AppBridge(
  client,
  { name: 'test host', version: '1' },
  { serverTools: {}, ...(wish.resources && { serverResources: {} }) },
  { hostContext: { ...(wish.theme && { theme: wish.theme }), ...(tool && { toolInfo: { tool } }) } },
);
bridge.addEventListener('initialized', () => {
  void bridge.sendToolInput({ arguments: wish.arguments });
  void bridge.sendToolResult(result);
});
bridge.addEventListener('sizechange', ({ height }) => {
  if (height !== undefined) frame.style.height = `${height}px`;
});
Object.assign(window, { setTheme: (theme: 'light' | 'dark') => bridge.setHostContext({ theme }) });
await bridge.connect(new PostMessageTransport(view, view));
frame.src = '/view';
