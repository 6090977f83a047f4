/** The files that can be indexed (`decisions` 7): media types, the first one ours, and how names end. */
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

/** The media types, as a person is told of them. */
export const knownMimeTypes: readonly string[] = fileTypes.map(({ mimeTypes: [first] }) => first);

/** How names of files of this media type (RFC 9110 section 8.3.1, with or without parameters) end; undefined where it is none of ours. */
export function endingsOf(mimeType: string): readonly string[] | undefined {
  const essence = mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return fileTypes.find(({ mimeTypes }) => mimeTypes.includes(essence))?.endings;
}

/** The media type that a name's ending stands for. */
export function mimeTypeOf(fileName: string): string | undefined {
  return fileTypes.find(({ endings }) => endsIn(fileName, endings))?.mimeTypes[0];
}

export function endsIn(fileName: string, endings: readonly string[]): boolean {
  return endings.some((ending) => fileName.toLowerCase().endsWith(`.${ending}`));
}
