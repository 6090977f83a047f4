import mammoth from 'mammoth';
import type { Content } from './blocks.ts';
import { ExtractionFailure } from './extraction-failure.ts';
import { readHtml } from './html.ts';
import { unzipped } from './zip.ts';

/** The parts of the archive that hold text, its styles and its title; no pictures. */
const needed =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|docProps\/core\.xml|word\/(?:[^/]+\.xml|_rels\/[^/]+\.rels))$/;
const styles = ["p[style-name='Title'] => h1.title:fresh", "p[style-name='Subtitle'] => p:fresh"];

/**
 * Reads a Word document: converts it to HTML and reads that.
 * @throws ExtractionFailure if the archive is damaged, holds no document or unpacks to too much
 */
export async function readDocx(bytes: Uint8Array): Promise<Content> {
  const parts = await unzipped(bytes, (name) => needed.test(name));
  if (!parts.has('word/document.xml'))
    throw new ExtractionFailure('The file is a ZIP archive, but not a DOCX.');
  const archive = {
    exists: (name: string) => parts.has(name),
    read: async (name: string, encoding?: string) => {
      const part = parts.get(name) ?? Buffer.alloc(0);
      return encoding === undefined ? part : part.toString(encoding === 'base64' ? 'base64' : 'utf8');
    },
  };
  // mammoth would unpack without a limit. It also accepts an open archive, as `file`, which its types omit.
  const input = { file: archive } as unknown as { buffer: Buffer };
  const { value } = await mammoth.convertToHtml(input, {
    styleMap: styles,
    includeEmbeddedStyleMap: false,
    externalFileAccess: false,
    convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
  });
  const title = /<dc:title>([^<&]+)<\/dc:title>/.exec(parts.get('docProps/core.xml')?.toString() ?? '')?.[1];
  const page = readHtml(`<main>${withTitle(value)}</main>`);
  return { ...page, title: page.title ?? title };
}

/** Turns the title's heading into a `<title>`, because chapters have the same level. */
function withTitle(html: string): string {
  return html.replace(
    /<h1 class="title">([\s\S]*?)<\/h1>/,
    (_, title: string) => `<title>${title.replaceAll(/<[^>]*>/g, '')}</title>`,
  );
}
