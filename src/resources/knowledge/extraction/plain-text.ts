import type { Content } from './blocks.ts';
import { lines } from './clean-text.ts';
import { Outline } from './outline.ts';

/** Reads plain text; empty lines separate paragraphs. */
export function readPlainText(text: string): Content {
  const outline = new Outline();
  for (const part of text.replaceAll(/\r\n?/g, '\n').split(/[\n\f](?:[ \t]*[\n\f])+/)) {
    const paragraph = lines(part);
    if (paragraph) outline.add({ kind: 'text', text: paragraph });
  }
  return { sections: outline.finished() };
}
