import { invalidRequest, payloadTooLarge } from '../../errors.ts';
import { decodeBase64 } from '../../tool/base64.ts';
import type { InputProblem } from '../../tool/define.ts';
import { endingsOf, endsIn, knownMimeTypes, mimeTypeOf } from './file-types.ts';

/** Bytes of a file: 25 MiB, `decisions#body-limits`. */
const maximumFile = 26_214_400;

interface FileInput {
  readonly type: 'website' | 'file';
  readonly fileName?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly contentBase64?: string | undefined;
}

const fileMembers = ['fileName', 'mimeType', 'contentBase64'] as const;

/** The media type of a file. For `application/octet-stream` (RFC 2046 section 4.5.1) it is that of the name's extension. */
export function mimeTypeOfFile({ fileName = '', mimeType = '' }: FileInput): string {
  return mimeType.toLowerCase() === 'application/octet-stream'
    ? (mimeTypeOf(fileName) ?? mimeType)
    : mimeType;
}

/** The problems of a file's members, except its content. */
export function fileProblems(input: FileInput): InputProblem[] {
  if (input.type === 'website')
    return fileMembers
      .filter((member) => input[member] !== undefined)
      .map((member) => ({ path: [member], message: 'Only a source of type file has this member.' }));
  const problems: InputProblem[] = fileMembers
    .filter((member) => input[member] === undefined)
    .map((member) => ({ path: [member], message: 'Is required for a source of type file.' }));
  const { fileName, mimeType } = input;
  if (fileName === undefined || mimeType === undefined) return problems;
  const endings = endingsOf(mimeTypeOfFile(input));
  if (!endings)
    problems.push({ path: ['mimeType'], message: `Expected one of ${knownMimeTypes.join(', ')}.` });
  else if (!endsIn(fileName, endings))
    problems.push({
      path: ['fileName'],
      message: `Expected a name that ends in .${endings.join(' or .')}, to match mimeType.`,
    });
  return problems;
}

/**
 * Decodes the content of a file.
 * @throws ToolError `invalid_request` if it is no base64 or empty; `payload_too_large`
 */
export function readContent(base64: string): Buffer {
  const content = decodeBase64(base64);
  if (!content) throw refusal('Expected standard base64 (RFC 4648 section 4).');
  if (content.length === 0) throw refusal('Expected a file that is not empty.');
  if (content.length > maximumFile) throw payloadTooLarge(maximumFile);
  return content;
}

function refusal(message: string) {
  return invalidRequest([{ in: 'body', path: '/contentBase64', message }]);
}
