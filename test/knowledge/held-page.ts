import type { ServerResponse } from 'node:http';
import type { LocalSite } from './local-site.ts';

/** A page whose answers wait until they are released. */
export interface HeldPage {
  /** Resolves when somebody waits for it. */
  readonly asked: Promise<void>;
  /** Answers all who wait, and from now on whoever asks. */
  release(html: string): void;
}

export function holdPage(site: LocalSite, path: string): HeldPage {
  const waiting: ServerResponse[] = [];
  let tell = () => undefined as unknown;
  const asked = new Promise<void>((resolve) => {
    tell = resolve;
  });
  site.pages.set(path, (_, response) => {
    waiting.push(response);
    tell();
  });
  return {
    asked,
    release(html) {
      site.pages.set(path, html);
      for (const response of waiting) response.setHeader('content-type', 'text/html').end(html);
    },
  };
}
