import type { JsonDocument } from '../operation/document.ts';
import { searchTextOf } from '../services/search/document-text.ts';

export function jsonDocument(value: unknown): JsonDocument {
  return { json: JSON.stringify(value), value };
}

/** What a search reads of a flow's configuration. */
export const configurationText = searchTextOf;

/** What a search reads of a design. It leaves out what the service wrote into it, and a design that is not an object. */
export function designText(design: unknown): string {
  return searchTextOf(searchedDesign(design));
}

/** The part of a design that a search reads; undefined if there is none. */
export function searchedDesign(design: unknown): object | undefined {
  if (typeof design !== 'object' || design === null || Array.isArray(design)) return undefined;
  const { compliance: _, ...searched } = design as Record<string, unknown>;
  return searched;
}
