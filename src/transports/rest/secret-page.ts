import { createHash } from 'node:crypto';
import type { RouterContext } from '@koa/router';
import { ToolError } from '../../platform/errors.ts';
import { addressTokenHash, secretRequestPath } from '../auth/address-token.ts';
import { readBytes } from '../http/body.ts';
import type { RequestState } from '../http/request-state.ts';
import type { SecretRequest, ServerRuntime } from '../server-runtime.ts';
import type { Routes } from './routes.ts';

/** Bytes of the form: the longest secret, each character of it percent-encoded as four bytes, and its hosts. */
const formLimit = 139_264;
/** Characters of a secret. */
const longestSecret = 10_000;

const route = `${secretRequestPath}/{token}`;

const style = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { margin: 0; padding: 2rem 1rem }
  main { max-width: 32rem; margin: 0 auto }
  h1 { font-size: 1.4rem; overflow-wrap: anywhere }
  dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem }
  dt { opacity: .75 }
  dd { margin: 0; overflow-wrap: anywhere }
  label { display: block; font-weight: 600 }
  input, button { font: inherit; padding: .5rem .75rem; box-sizing: border-box; width: 100%; margin-top: .5rem }
  form p { margin: .25rem 0 1rem; font-size: .9rem; opacity: .85 }
  [type=checkbox], [type=checkbox] + label { display: inline; width: auto; margin: 0 }
  [role=alert] { border-left: .25rem solid #c62828; padding-left: .75rem }
`;

/** No script, no outside host, no frame, and one style sheet: its hash stands for it. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // The address is a secret. To its own origin the browser sends it, because it names no Origin otherwise.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
};

/**
 * Registers the page on which a person enters a secret that a call on MCP waits for (docs/mcp.md). Its address is the
 * only credential: it takes one value, within ten minutes, as long as the key of the call is active. It never shows a value.
 */
export function registerSecretPage(routes: Routes, runtime: ServerRuntime): void {
  const path = `${secretRequestPath}/:token`;
  const router = routes.at(path);
  router.get(path, async (ctx) => {
    const { request } = await waiting(ctx, runtime);
    if (request) send(ctx, 200, formFor(request));
    else send(ctx, 404, gone);
  });
  router.post(path, async (ctx) => {
    const { request, tokenHash } = await waiting(ctx, runtime);
    if (!request || !tokenHash) {
      send(ctx, 404, gone);
      return;
    }
    requireOwnOrigin(ctx);
    const entered = await readForm(ctx);
    const problem = problemWith(entered, request);
    if (problem !== undefined) {
      send(ctx, 400, formFor(request, problem));
      return;
    }
    const { value = '', binding } = entered;
    const sealedValue = runtime.services.seal(request, 'secret_requests', tokenHash.toString('hex'), value);
    const isKept = await runtime.write(request, ({ stores }) =>
      stores.secretRequests.enter({ tokenHash, sealedValue, binding }),
    );
    send(ctx, isKept ? 200 : 404, isKept ? thanks : gone);
  });
}

/** The request of an address that waits for its secret, if the key of its call may still write. */
async function waiting(
  ctx: RouterContext,
  runtime: ServerRuntime,
): Promise<{ readonly request?: SecretRequest | undefined; readonly tokenHash?: Buffer | undefined }> {
  // The path holds the token, so the log gets the route.
  (ctx.state as RequestState).route = route;
  const tokenHash = addressTokenHash(ctx.params['token'] ?? '');
  const request = tokenHash && (await runtime.findSecretRequest(tokenHash));
  if (!request) return {};
  const status = await runtime.keyStatus(request);
  const isAllowed = status?.keyStatus === 'active' && status.projectStatus !== 'archived';
  return isAllowed ? { request, tokenHash } : {};
}

/**
 * Refuses a form of another site. Browsers say where a form comes from; no other program has the address.
 * @throws ToolError `forbidden`
 */
function requireOwnOrigin({ req: { headers: sent } }: RouterContext): void {
  const site = sent['sec-fetch-site'];
  const isOwn =
    (site === undefined || site === 'same-origin') &&
    (sent.origin === undefined || (URL.canParse(sent.origin) && new URL(sent.origin).host === sent.host));
  if (!isOwn) throw new ToolError('forbidden', 'Another website sent this form.');
}

/** What a person has entered. */
interface Entered {
  /** Undefined: the present one stays. */
  readonly value: string | undefined;
  /** Null: the present one stays. */
  readonly binding: SecretRequest['binding'];
}

/** @throws ToolError `payload_too_large` */
async function readForm({ req }: RouterContext): Promise<Entered> {
  const form = new URLSearchParams((await readBytes(req, formLimit)).toString());
  const list = (name: string) => (form.get(name) ?? '').split(/[\s,]+/).filter((one) => one !== '');
  const [value, hosts, headers] = [form.get('value') ?? '', list('hosts'), list('headers')];
  return {
    value: value === '' ? undefined : value,
    binding: hosts.length > 0 ? { hosts, headers, inUrl: form.has('inUrl') } : null,
  };
}

function problemWith({ value, binding }: Entered, { replaces }: SecretRequest): string | undefined {
  if (value === undefined) return replaces && binding ? undefined : 'Enter the value.';
  if (Array.from(value).length > longestSecret) return `A secret has at most ${longestSecret} characters.`;
  return value.includes('\0') ? 'The value holds a character that no secret may have (U+0000).' : undefined;
}

function send(ctx: RouterContext, status: number, content: string): void {
  ctx.status = status;
  ctx.set(headers);
  ctx.body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Parley: enter a secret</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head>
<body><main>${content}</main></body></html>`;
}

function formFor({ name, projectName, keyName, replaces, binding }: SecretRequest, problem?: string): string {
  const keeps = replaces && binding !== null;
  return `<h1>Enter the ${escaped(name)}</h1>
<p>An AI client asks Parley to keep it. The value goes to Parley only: neither the client nor its model sees it.</p>
<dl><dt>Project</dt><dd>${escaped(projectName)}</dd><dt>Asked with the key</dt><dd>${escaped(keyName)}</dd>
<dt>Present value</dt><dd>${replaces ? (keeps ? 'stays if you enter none' : 'will be replaced') : 'none'}</dd></dl>
<p>If you have not just asked your client for this, close the page.</p>
${problem === undefined ? '' : `<p role="alert">${escaped(problem)}</p>`}
<form method="post"><label for="value">Value</label>
<input id="value" name="value" type="password" autocomplete="off" spellcheck="false"${keeps ? '' : ' required'} autofocus>
${binding === null ? '' : bindingFields(binding)}
<button>Hand it over</button></form>`;
}

function bindingFields({ hosts, headers, inUrl }: NonNullable<SecretRequest['binding']>): string {
  return `<label for="hosts">Hosts to which Parley may send it</label>
<input id="hosts" name="hosts" value="${escaped(hosts.join(' '))}" spellcheck="false" aria-describedby="about-hosts">
<p id="about-hosts">Check them: whoever runs these hosts learns the value. Such as api.example.com or *.example.com, with spaces
between them. If you enter none, nothing changes here: a new secret is sent nowhere, and only signs.</p>
<label for="headers">Headers that may hold it</label>
<input id="headers" name="headers" value="${escaped(headers.join(' '))}" spellcheck="false">
<p><input id="inUrl" name="inUrl" type="checkbox"${inUrl ? ' checked' : ''}> <label for="inUrl">URLs may hold it, too</label></p>`;
}

const thanks = `<h1>Thank you</h1><p>Go back to your client: it goes on by itself. You can close this page.</p>`;

const gone = `<h1>This page is no longer valid</h1>
<p>It takes one value within ten minutes. Ask your client again, which makes another page.</p>`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}
