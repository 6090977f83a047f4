import type { ServerResponse } from 'node:http';
import type { LocalSite } from './local-site.ts';

/** A page whose responses wait until they are released. */
export interface HeldPage {
  /** Resolves at the first request. */
  readonly requested: Promise<void>;
  /** Responds to all waiting requests, and to later ones. */
  release(html: string): void;
}

export function holdPage(site: LocalSite, path: string): HeldPage {
  const waiting: ServerResponse[] = [];
  const { promise: requested, resolve } = Promise.withResolvers<void>();
  site.pages.set(path, (_, response) => {
    waiting.push(response);
    resolve();
  });
  return {
    requested,
    release(html) {
      site.pages.set(path, html);
      for (const response of waiting) response.setHeader('content-type', 'text/html').end(html);
    },
  };
}
