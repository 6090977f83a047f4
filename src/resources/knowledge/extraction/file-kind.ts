import { ExtractionFailure } from './extraction-failure.ts';

export type Kind = 'html' | 'markdown' | 'text' | 'csv' | 'pdf' | 'docx';

/** What the sender or the site says about a file. */
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
/** Types that servers and browsers send for files that they do not know. */
const vague = new Set([
  '',
  'text/plain',
  'application/octet-stream',
  'binary/octet-stream',
  'application/vnd.ms-excel',
]);

/**
 * The kind of a file: by its first bytes, then by its media type, then by its name.
 * @throws ExtractionFailure if Parley does not read the kind, or if the bytes contradict it
 */
export function kindOf(bytes: Uint8Array, claim: Claim): Kind {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  if (start.startsWith('\u00d0\u00cf\u0011\u00e0'))
    throw new ExtractionFailure(
      'The file is in an old Office format, or has a password. Save it as a DOCX without a password.',
    );
  if (/^\s*%PDF-/.test(start)) return 'pdf';
  const claimed = claimedKind(claim) ?? (looksLikeHtml(start) ? 'html' : undefined);
  if (!claimed)
    throw new ExtractionFailure(
      'Parley reads HTML, Markdown, plain text, CSV, PDF and DOCX; this file is of another kind.',
    );
  const isZip = start.startsWith('PK\u0003\u0004');
  if (claimed === 'pdf' && start.includes('%PDF-')) return 'pdf';
  if (claimed === 'pdf' || (claimed === 'docx') !== isZip)
    throw new ExtractionFailure(
      isZip
        ? `The file is a ZIP archive, not ${names[claimed]}.`
        : `The file is not ${names[claimed]}, although its name or type says so.`,
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
