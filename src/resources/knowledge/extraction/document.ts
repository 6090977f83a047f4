import type { Content } from './blocks.ts';
import { decoded } from './charset.ts';
import { chunksOf } from './chunking.ts';
import { oneLine } from './clean-text.ts';
import type { Extracted, SourceFile } from './extracted.ts';
import { ExtractionFailure } from './extraction-failure.ts';
import { type Kind, kindOf } from './file-kind.ts';
import { mostText, tooLong } from './outline.ts';

const longestTitle = 300;

/**
 * Extracts the chunks and links of a file. The reader of each kind is loaded with its first file.
 * @throws ExtractionFailure; any other error comes from a library that got unexpected bytes
 */
export async function extractDocument(file: SourceFile): Promise<Extracted> {
  const kind = kindOf(file.bytes, file);
  const page = { links: [], noindex: false, nofollow: false };
  const content = { ...page, ...(await contentOf(kind, file)) };
  const ownTitle = oneLine(content.title ?? '').slice(0, longestTitle);
  const title = ownTitle || (kind === 'html' || hasTitle(content) ? undefined : nameOf(file));
  const chunks = chunksOf({ ...content, title });
  if (chunks.length === 0 && !(kind === 'html' && file.url !== undefined))
    throw new ExtractionFailure(
      `The document has no text.${kind === 'pdf' ? ' Parley cannot read pictures of text.' : ''}`,
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
  if (kind === 'html') return (await import('./html.ts')).readHtml(text, url);
  if (text.length > mostText) throw tooLong();
  if (kind === 'markdown') return (await import('./markdown.ts')).readMarkdown(text);
  if (kind === 'csv') return (await import('./csv.ts')).readCsv(text);
  return (await import('./plain-text.ts')).readPlainText(text);
}

/** The first heading, for a document without a title. */
function titleOf(path: string | undefined): string | undefined {
  return path?.split(' > ', 1)[0] || undefined;
}

function hasTitle({ sections }: Content): boolean {
  return sections.some(({ path }) => path[0]?.level === 1);
}

/** The name of a file without its extension, as words. */
function nameOf({ fileName, url }: SourceFile): string | undefined {
  const path = fileName ?? (url === undefined ? '' : new URL(url).pathname);
  const [name = ''] = path.split('/').slice(-1);
  return (
    oneLine(name.replace(/\.\w+$/, '').replaceAll(/(?:[-_+]|%20)+/g, ' ')).slice(0, longestTitle) || undefined
  );
}
