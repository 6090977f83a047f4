/**
 * A page that hosts with MCP Apps (SEP-1865, `io.modelcontextprotocol/ui`) show next to a tool's result. Other clients
 * ignore `_meta` and show the result alone. Stateless clients of 2025 do not say with each call what they support, so all
 * get it.
 */
export type App = 'design';

/** Reads the page of an app: one HTML document that loads nothing else. */
export type ReadApp = (app: App) => Promise<string>;

const scheme = 'ui://parley/';

/** The media type of the extension, by which a host knows a page. */
const mimeType = 'text/html;profile=mcp-app';

/** What `tools/list` says of a tool that has an app. */
export function appMeta(app: App) {
  return { ui: { resourceUri: `${scheme}${app}` } };
}

/** The app at an address of a resource, if one of these tools has it. */
export function appAt(uri: string, tools: readonly { readonly app?: App }[]): App | undefined {
  return tools.find(({ app }) => app !== undefined && `${scheme}${app}` === uri)?.app;
}

/** The page as `resources/read` returns it. It declares no domains, so a host lets it reach none. */
export function appContents(app: App, text: string) {
  return { uri: `${scheme}${app}`, mimeType, text, _meta: { ui: { csp: {}, prefersBorder: true } } };
}
