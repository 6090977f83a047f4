import { getDocument } from 'unpdf/pdfjs';
import type { Content } from './blocks.ts';
import { oneLine } from './clean-text.ts';
import { ExtractionFailure } from './extraction-failure.ts';
import { linesOf, type PageLines, type Piece } from './pdf-lines.ts';
import { sectionsOf } from './pdf-sections.ts';

const mostPages = 2000;
/** Characters of all pages, with running headers and footers. */
const mostText = 4_000_000;
/** Titles from programs, not from people. */
const nameless = /^(?:microsoft word|untitled|document\d*$|.*\.(?:docx?|pdf|indd|odt|tex|pages)$)/i;

/**
 * Reads the text of a PDF, but not pictures of text.
 * @throws ExtractionFailure if the PDF is damaged, has a password or is too long
 */
export async function readPdf(bytes: Uint8Array): Promise<Content> {
  const pdf = await opened(bytes);
  try {
    if (pdf.numPages > mostPages)
      throw new ExtractionFailure(
        `The PDF has more than ${mostPages.toLocaleString('en')} pages. Split it into smaller ones.`,
      );
    const pages: PageLines[] = [];
    let characters = 0;
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const pieces = (await page.getTextContent()).items.flatMap((item) =>
        'str' in item ? pieceOf(item) : [],
      );
      page.cleanup();
      characters += pieces.reduce((sum, { text }) => sum + text.length, 0);
      if (characters > mostText)
        throw new ExtractionFailure(
          `The PDF has more than ${mostText.toLocaleString('en')} characters. Split it into smaller ones.`,
        );
      const [, bottom = 0, , top = 0] = page.view;
      pages.push({ lines: linesOf(pieces), bottom, top });
    }
    const { info } = await pdf.getMetadata();
    const title = 'Title' in info && typeof info.Title === 'string' ? oneLine(info.Title) : '';
    return { title: nameless.test(title) ? undefined : title, sections: sectionsOf(pages) };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function opened(bytes: Uint8Array) {
  const loading = getDocument({
    data: bytes,
    verbosity: 0,
    disableFontFace: true,
    useSystemFonts: false,
    isImageDecoderSupported: false,
    isOffscreenCanvasSupported: false,
    enableXfa: false,
  });
  try {
    return await loading.promise;
  } catch (error) {
    await loading.destroy();
    if (error instanceof Error && error.name === 'PasswordException')
      throw new ExtractionFailure('The PDF has a password. Save it without one.', { cause: error });
    throw new ExtractionFailure('The PDF is damaged.', { cause: error });
  }
}

interface Item {
  readonly str: string;
  /** The library's types omit that these are numbers. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly fontName: string;
}

function pieceOf({ str, transform, width, fontName }: Item): Piece {
  const [, , skew = 0, scale = 0, x = 0, y = 0] = transform;
  return { text: str, x, y, width, size: Math.hypot(skew, scale) || 1, font: fontName };
}
