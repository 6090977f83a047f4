import type { Content } from './blocks.ts';
import { lines } from './clean-text.ts';
import { Outline } from './outline.ts';

/** Reads plain text: what empty lines part are paragraphs. */
export function readPlainText(text: string): Content {
  const outline = new Outline();
  for (const part of text.replaceAll(/\r\n?/g, '\n').split(/[\n\f](?:[ \t]*[\n\f])+/)) {
    const said = lines(part);
    if (said) outline.add({ kind: 'text', text: said });
  }
  return { sections: outline.finished() };
}
