import { ExtractionFailure } from './extraction-failure.ts';

export type Kind = 'html' | 'markdown' | 'text' | 'csv' | 'pdf' | 'docx';

/** What a file is called by who sends it. */
export interface Claim {
  readonly contentType?: string | undefined;
  readonly fileName?: string | undefined;
  readonly url?: string | undefined;
}

const ofType: Readonly<Record<string, Kind>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
  'text/plain': 'text',
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'application/csv': 'csv',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
};
const ofEnding: Readonly<Record<string, Kind>> = {
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  md: 'markdown',
  markdown: 'markdown',
  txt: 'text',
  text: 'text',
  csv: 'csv',
  tsv: 'csv',
  pdf: 'pdf',
  docx: 'docx',
};
/** Types that say little: servers and browsers send them for files that they do not know. */
const vague = new Set([
  '',
  'text/plain',
  'application/octet-stream',
  'binary/octet-stream',
  'application/vnd.ms-excel',
]);

/**
 * What a file is: by its first bytes, then by its type, then by its name.
 * Throws ExtractionFailure for what is none of the kinds, and for bytes that are not what they are called.
 */
export function kindOf(bytes: Uint8Array, claim: Claim): Kind {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  if (start.startsWith('\u00d0\u00cf\u0011\u00e0'))
    throw new ExtractionFailure(
      'It is an old Office file, or one with a password; save it as DOCX without one.',
    );
  if (/^\s*%PDF-/.test(start)) return 'pdf';
  const claimed = claimedKind(claim) ?? (looksLikeHtml(start) ? 'html' : undefined);
  if (!claimed)
    throw new ExtractionFailure('Only HTML, Markdown, plain text, CSV, PDF and DOCX can be read.');
  const isZip = start.startsWith('PK\u0003\u0004');
  if (claimed === 'pdf' && start.includes('%PDF-')) return 'pdf';
  if (claimed === 'pdf' || (claimed === 'docx') !== isZip)
    throw new ExtractionFailure(
      isZip
        ? 'It is a ZIP archive, and not what it is called.'
        : `It is called ${names[claimed]}, and is none.`,
    );
  return claimed;
}

const names: Readonly<Record<Kind, string>> = {
  html: 'HTML',
  markdown: 'Markdown',
  text: 'plain text',
  csv: 'CSV',
  pdf: 'a PDF',
  docx: 'a DOCX',
};

function claimedKind({ contentType = '', fileName, url }: Claim): Kind | undefined {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const path = fileName ?? (url === undefined ? '' : new URL(url).pathname);
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  if (vague.has(type) && ofEnding[ending]) return ofEnding[ending];
  return ofType[type];
}

function looksLikeHtml(start: string): boolean {
  return /^(?:\s|\u00ef\u00bb\u00bf|<!--[\s\S]*?-->)*<(?:!doctype html|html|head|body)\b/i.test(start);
}
