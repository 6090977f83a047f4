/** A block between two headings: a paragraph, a list whose items include their marks, or a table. */
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

/** The blocks below one path of headings. */
export interface Section {
  /** From the outermost heading inwards, with rising levels. */
  readonly path: readonly Heading[];
  readonly blocks: Block[];
}

/** The content of a document, whatever its file format. */
export interface Content {
  readonly title?: string | undefined;
  /** The language that the document declares, such as `de-AT`. */
  readonly lang?: string | undefined;
  readonly sections: readonly Section[];
}
