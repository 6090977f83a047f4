import { ExtractionFailure } from '../extraction-failure.ts';
import type { Extracted, SourceFile } from '../extractor.ts';
import type { Content } from './blocks.ts';
import { decoded } from './charset.ts';
import { chunksOf } from './chunks.ts';
import { oneLine } from './clean.ts';
import { type Kind, kindOf } from './kind.ts';
import { mostText, tooLong } from './outline.ts';

const longestTitle = 300;

/**
 * Reads a file: what it says as passages, and where it leads. What its kind needs is loaded when the first of the
 * kind comes.
 * Throws ExtractionFailure; what else is thrown is a library's, at bytes that it did not expect.
 */
export async function extracted(file: SourceFile): Promise<Extracted> {
  const kind = kindOf(file.bytes, file);
  const page = { links: [], noindex: false, nofollow: false };
  const content = { ...page, ...(await contentOf(kind, file)) };
  const ownTitle = oneLine(content.title ?? '').slice(0, longestTitle);
  const title = ownTitle || (kind === 'html' || hasTitle(content) ? undefined : nameOf(file));
  const chunks = chunksOf({ ...content, title });
  if (chunks.length === 0 && !(kind === 'html' && file.url !== undefined))
    throw new ExtractionFailure(
      `It holds no text${kind === 'pdf' ? '; pictures of text cannot be read' : ''}.`,
    );
  const { links, canonical, noindex, nofollow } = content;
  return { title: title ?? titleOf(chunks[0]?.heading), chunks, links, canonical, noindex, nofollow };
}

async function contentOf(
  kind: Kind,
  { bytes, contentType, url }: SourceFile,
): Promise<Content & Partial<Omit<Extracted, 'chunks'>>> {
  if (kind === 'pdf') return (await import('./pdf.ts')).readPdf(bytes);
  if (kind === 'docx') return (await import('./docx.ts')).readDocx(bytes);
  const text = decoded(bytes, contentType);
  if (kind === 'html') return (await import('./page.ts')).readPage(text, url);
  if (text.length > mostText) throw tooLong();
  if (kind === 'markdown') return (await import('./markdown.ts')).readMarkdown(text);
  if (kind === 'csv') return (await import('./csv.ts')).readCsv(text);
  return (await import('./plain-text.ts')).readPlainText(text);
}

/** Of a document without a title its first heading. */
function titleOf(path: string | undefined): string | undefined {
  return path?.split(' > ', 1)[0] || undefined;
}

function hasTitle({ sections }: Content): boolean {
  return sections.some(({ path }) => path[0]?.level === 1);
}

/** The name of a file, without its ending, as words. */
function nameOf({ fileName, url }: SourceFile): string | undefined {
  const path = fileName ?? (url === undefined ? '' : new URL(url).pathname);
  const [name = ''] = path.split('/').slice(-1);
  return (
    oneLine(name.replace(/\.\w+$/, '').replaceAll(/(?:[-_+]|%20)+/g, ' ')).slice(0, longestTitle) || undefined
  );
}
