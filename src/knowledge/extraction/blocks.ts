/** What stands between two headings: a paragraph, a list whose items bring their marks, a table. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | {
      readonly kind: 'table';
      readonly caption: string;
      readonly header: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

export interface Heading {
  /** 1 to 6. */
  readonly level: number;
  readonly text: string;
}

/** Blocks below the same headings. */
export interface Section {
  /** From the outermost heading inwards, their levels rising. */
  readonly path: readonly Heading[];
  readonly blocks: Block[];
}

/** A document as far as its kind matters no more. */
export interface Content {
  readonly title?: string | undefined;
  /** What the document says of itself, such as `de-AT`. */
  readonly lang?: string | undefined;
  readonly sections: readonly Section[];
}
