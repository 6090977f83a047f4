import { createHash } from 'node:crypto';
import type { Context } from 'koa';

/** HTML text whose values are escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Makes HTML. Every value is escaped, unless it is HTML itself. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html {
  return new Html(parts.reduce((text, part, index) => `${text}${escaped(values[index - 1] ?? '')}${part}`));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(value: string | Html | readonly Html[]): string {
  if (value instanceof Html) return value.text;
  if (typeof value !== 'string') return value.map(({ text }) => text).join('');
  return value.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; padding: 2rem 1rem; background: light-dark(#f4f5f7, #14161a); color: light-dark(#1b1f24, #e8eaed); }
main { max-width: 30rem; margin: 0 auto; padding: 1.5rem 2rem 2rem; border-radius: 12px;
  background: light-dark(#fff, #1e2126); border: 1px solid light-dark(#d9dde3, #363b44); }
h1 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 1rem; overflow-wrap: anywhere; }
p, dl { margin: 0 0 1rem; }
dt { font-size: .85rem; color: light-dark(#57606a, #a6adb7); }
dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
fieldset { border: 0; padding: 0; margin: 0 0 1rem; }
legend, .field { font-weight: 600; padding: 0; margin: 0 0 .25rem; display: block; }
.choice { display: flex; gap: .6rem; padding: .3rem 0; }
.choice input { width: 1.1rem; height: 1.1rem; margin: .2rem 0 0; flex: none; }
.note { font-size: .9rem; color: light-dark(#57606a, #a6adb7); }
.error { padding: .6rem .8rem; border-radius: 8px; background: light-dark(#fdecea, #4a1f1c); }
input[type=password] { box-sizing: border-box; width: 100%; font: inherit; padding: .55rem .7rem; margin: 0 0 1rem;
  border: 1px solid light-dark(#8c959f, #6b737e); border-radius: 8px; background: transparent; color: inherit; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; }
button { font: inherit; padding: .55rem 1.1rem; border-radius: 8px; cursor: pointer;
  border: 1px solid light-dark(#8c959f, #6b737e); background: transparent; color: inherit; }
button.main { background: #1f5fbf; border-color: #1f5fbf; color: #fff; }
:focus-visible { outline: 3px solid #4c8dff; outline-offset: 2px; }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/**
 * Sends a page without scripts, which no other page can frame.
 * @param formAction where its form may lead, besides this server: browsers check the redirects that follow, too
 */
export function sendPage(
  ctx: Pick<Context, 'set' | 'status' | 'body'>,
  status: number,
  title: string,
  content: Html,
  formAction = '',
): void {
  ctx.status = status;
  ctx.set({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${styleHash}'`,
      `form-action 'self' ${formAction}`.trimEnd(),
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // With `no-referrer`, the form would be sent without its Origin, which this server checks.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${new Html(style)}</style></head>
<body><main>${content}</main></body></html>`;
  ctx.body = page.text;
}

/** Sends the page for a request that cannot go back to its client, because its address is not known to be right. */
export function errorPage(ctx: Pick<Context, 'set' | 'status' | 'body'>, reason: string, status = 400): void {
  const content = html`<h1>This sign-in cannot go on</h1>
<p>The app sent a request that Parley does not accept, or the sign-in took too long.</p>
<p class="error">${reason}</p><p class="note">Start again from the app.</p>`;
  sendPage(ctx, status, 'Sign-in to Parley', content);
}
