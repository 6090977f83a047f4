/** A point in pixels; `y` grows downwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where everything goes, in pixels: the centres of shapes and labels, in the order of the diagram. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Point[];
  readonly arrows: readonly { readonly points: readonly Point[]; readonly label: Point }[];
}
