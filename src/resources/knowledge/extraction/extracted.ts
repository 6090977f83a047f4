/** What the extractor takes: the bytes of a file, and what its sender or its site says about them. */
export interface SourceFile {
  readonly bytes: Uint8Array;
  readonly contentType?: string | undefined;
  readonly fileName?: string | undefined;
  /** The address of a page; an uploaded file has none. */
  readonly url?: string | undefined;
}

/** A passage of about 200 to 400 tokens; shorter if its section is shorter. */
export interface Chunk {
  /** The path of headings above it, such as `Fares > Children`; empty if there are none. */
  readonly heading: string;
  readonly text: string;
  /** A text search configuration of Postgres: `english`, `german`, … or `simple`. */
  readonly language: string;
}

/** What the extractor returns. */
export interface Extracted {
  readonly title?: string | undefined;
  /** Empty for a page with `noindex`. */
  readonly chunks: Chunk[];
  /** Absolute web addresses without fragments, each once, except those with `nofollow`. */
  readonly links: string[];
  readonly canonical?: string | undefined;
  readonly noindex: boolean;
  readonly nofollow: boolean;
}
