/** The files that can be indexed, `decisions#knowledge`: their media types, the usual one first, and file extensions. */
const fileTypes: readonly {
  readonly mimeTypes: readonly [string, ...string[]];
  readonly endings: readonly string[];
}[] = [
  { mimeTypes: ['text/plain'], endings: ['txt', 'text', 'log'] },
  { mimeTypes: ['text/markdown', 'text/x-markdown'], endings: ['md', 'markdown'] },
  { mimeTypes: ['text/html', 'application/xhtml+xml'], endings: ['html', 'htm', 'xhtml'] },
  { mimeTypes: ['text/csv', 'application/csv'], endings: ['csv'] },
  { mimeTypes: ['application/pdf'], endings: ['pdf'] },
  {
    mimeTypes: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    endings: ['docx'],
  },
];

/** The usual media types, for messages. */
export const knownMimeTypes: readonly string[] = fileTypes.map(({ mimeTypes: [first] }) => first);

/**
 * The file extensions of a media type, with or without parameters (RFC 9110 section 8.3.1); undefined if Parley does not
 * index it.
 */
export function endingsOf(mimeType: string): readonly string[] | undefined {
  const essence = essenceOf(mimeType);
  return fileTypes.find(({ mimeTypes }) => mimeTypes.includes(essence))?.endings;
}

/** A media type without its parameters. */
export function essenceOf(mimeType: string): string {
  return mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** True for the types whose files are text. */
export function isText(mimeType: string): boolean {
  return /^text\/|^application\/(?:xhtml\+xml|csv)$/.test(essenceOf(mimeType));
}

/** The media type of a file name's extension. */
export function mimeTypeOf(fileName: string): string | undefined {
  return fileTypes.find(({ endings }) => endsIn(fileName, endings))?.mimeTypes[0];
}

export function endsIn(fileName: string, endings: readonly string[]): boolean {
  return endings.some((ending) => fileName.toLowerCase().endsWith(`.${ending}`));
}
