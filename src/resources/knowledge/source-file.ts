import type { ToolContext } from '../../environment/context.ts';
import { decodeBase64 } from '../../operation/base64.ts';
import type { InputProblem } from '../../operation/define.ts';
import type { FileText } from '../../operation/file-text.ts';
import { invalidRequest, payloadTooLarge } from '../../platform/errors.ts';
import { uploadedBytes } from '../uploads/uploads.ts';
import { endingsOf, endsIn, essenceOf, isText, knownMimeTypes, mimeTypeOf } from './file-types.ts';

/** Bytes of a file: 25 MiB, `decisions#body-limits`. */
const maximumFile = 26_214_400;

interface FileInput {
  readonly type: 'website' | 'file';
  readonly fileName?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly content?: FileText | undefined;
  readonly contentBase64?: FileText | undefined;
  readonly uploadId?: string | undefined;
}

const contentMembers = ['content', 'contentBase64', 'uploadId'] as const;
const fileMembers = ['fileName', 'mimeType', ...contentMembers] as const;

/**
 * The media type of a file. For `application/octet-stream` (RFC 2046 section 4.5.1) it is that of the name's extension.
 * `content` is stored as UTF-8, whatever charset `mimeType` names.
 */
export function mimeTypeOfFile({ fileName = '', mimeType = '', content }: FileInput): string {
  const known =
    mimeType.toLowerCase() === 'application/octet-stream' ? (mimeTypeOf(fileName) ?? mimeType) : mimeType;
  return content === undefined ? known : `${essenceOf(known)}; charset=utf-8`;
}

/** The problems of a file's members, except its content. */
export function fileProblems(input: FileInput): InputProblem[] {
  if (input.type === 'website')
    return fileMembers
      .filter((member) => input[member] !== undefined)
      .map((member) => ({ path: [member], message: 'Only a source of type file has this member.' }));
  const given = contentMembers.filter((member) => input[member] !== undefined);
  const [first = 'contentBase64', ...more] = given;
  const problems: InputProblem[] = (['fileName', 'mimeType', first] as const)
    .filter((member) => input[member] === undefined)
    .map((member) => ({ path: [member], message: 'Is required for a source of type file.' }));
  for (const member of more)
    problems.push({ path: [member], message: `Stands for ${first}: leave one of them out.` });
  if (input.content === '')
    problems.push({ path: ['content'], message: 'Expected a file that is not empty.' });
  const { fileName, mimeType } = input;
  if (fileName === undefined || mimeType === undefined) return problems;
  const endings = endingsOf(mimeTypeOfFile(input));
  if (input.content !== undefined && endings && !isText(mimeTypeOfFile(input)))
    problems.push({
      path: ['content'],
      message: 'A file of this type is not text. Send contentBase64 or uploadId.',
    });
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
 * Reads the content of a file, which one of the members holds.
 * @throws ToolError `invalid_request` if it is not base64, or empty; `not_found` for an upload; `payload_too_large`
 */
export async function readContent(
  context: Pick<ToolContext, 'stores' | 'services' | 'caller'>,
  { content: text, contentBase64 = '', uploadId }: FileInput,
): Promise<Buffer> {
  if (text !== undefined)
    return bounded(typeof text === 'string' ? Buffer.from(text) : (text.content ?? Buffer.alloc(0)));
  if (uploadId !== undefined) return bounded(await uploadedBytes(context, uploadId));
  const content = decodeBase64(contentBase64);
  if (!content) throw refusal('Expected standard base64 (RFC 4648 section 4).');
  if (content.length === 0) throw refusal('Expected a file that is not empty.');
  return bounded(content);
}

function bounded(content: Buffer): Buffer {
  if (content.length > maximumFile) throw payloadTooLarge(maximumFile);
  return content;
}

function refusal(message: string) {
  return invalidRequest([{ in: 'body', path: '/contentBase64', message }]);
}
