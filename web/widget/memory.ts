import type { Address } from './api.ts';

/** A message that the server may not have stored yet. */
export interface UnsentMessage {
  readonly messageId: string;
  readonly text: string;
}

/** What a tab remembers of a chat, so that a reload and the next page continue it. */
export interface Remembered {
  readonly address?: Address | undefined;
  /** In the order in which the visitor sent them. */
  readonly unsent: readonly UnsentMessage[];
  readonly isOpen: boolean;
}

const nothing: Remembered = { unsent: [], isOpen: false };

/** Keeps a chat in `sessionStorage`: for this tab and this origin, until the tab closes. */
export class Memory {
  readonly #name: string;
  #remembered: Remembered;

  constructor(webAgentId: string) {
    this.#name = `parley:${webAgentId}`;
    this.#remembered = this.#read();
  }

  get remembered(): Remembered {
    return this.#remembered;
  }

  update(changed: Partial<Remembered>): void {
    this.#remembered = { ...this.#remembered, ...changed };
    try {
      sessionStorage.setItem(this.#name, JSON.stringify(this.#remembered));
    } catch {
      // The page is sandboxed, or its storage is full or switched off. The chat then lasts as long as the page.
    }
  }

  #read(): Remembered {
    try {
      const text = sessionStorage.getItem(this.#name);
      return text === null ? nothing : { ...nothing, ...(JSON.parse(text) as Partial<Remembered>) };
    } catch {
      // As above, or another script has written there.
      return nothing;
    }
  }
}
