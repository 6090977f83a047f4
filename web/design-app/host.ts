import { type ToolResult, textOf, toolError } from './api-over-host.ts';
import { HostBridge } from './host-bridge.ts';

/** A version as a tool's input names it. */
export type VersionChoice = number | 'newest' | 'active';

/** What the model wanted to see. */
export interface Shown {
  /** The id or the name of the conversation. */
  readonly conversationId: string;
  /** That of a flow, in place of a conversation. */
  readonly flowId?: string | undefined;
  readonly version: VersionChoice;
  readonly against?: VersionChoice | undefined;
  /** The calls whose way is drawn, as in `draw_design`. */
  readonly run?: object | undefined;
}

/** The host, and what its model has asked for. */
export interface Host {
  readonly bridge: HostBridge;
  /** Rejects with ApiError if the call of the model failed. */
  readonly shown: Promise<Shown>;
}

/** Connects with the host around this page, and follows its theme. */
export async function connectHost(): Promise<Host> {
  const bridge = new HostBridge();
  const shown = new Promise<Shown>((resolve, reject) => {
    let input: Partial<Shown> = {};
    bridge.on('ui/notifications/tool-input', ({ arguments: given }) => {
      input = given as Partial<Shown>;
    });
    bridge.on('ui/notifications/tool-result', (params) => {
      const result = params as unknown as ToolResult;
      if (result.isError) reject(toolError(textOf(result)));
      else resolve({ conversationId: '', version: 'newest', ...input, ...comparedIn(result) });
    });
    bridge.on('ui/notifications/tool-cancelled', () => reject(toolError('The call was cancelled.')));
  });
  // Until the page shows why, nobody waits for it.
  shown.catch(() => undefined);
  bridge.on('ui/notifications/host-context-changed', follow);
  follow(await bridge.connect());
  return { bridge, shown };
}

/** Without a theme of the host, the page follows the browser. */
function follow({ theme }: { readonly theme?: unknown }): void {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
}

/** The versions that `diff_designs` has compared, which its input need not name. */
function comparedIn({ structuredContent }: ToolResult): Pick<Shown, 'version' | 'against'> | undefined {
  const { version, against } = (structuredContent ?? {}) as Readonly<Record<string, unknown>>;
  return typeof version === 'number' && typeof against === 'number' ? { version, against } : undefined;
}
