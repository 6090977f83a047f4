import { formatHint } from '../../design/format-hint.ts';
import { Design } from '../../design/schema/design.ts';
import type { ToolContext } from '../../environment/context.ts';
import type { InputProblem } from '../../operation/define.ts';
import { checkValue } from '../../operation/input.ts';
import { withoutAbyss } from '../../operation/json.ts';
import { payloadTooLarge } from '../../platform/errors.ts';
import { NotJson, parseJson } from '../../platform/parse-json.ts';
import { uploadedFile } from '../uploads/uploads.ts';
import { invalidEdit, largestDesign } from './edit.ts';
import { furtherProblems } from './further-problems.ts';

/**
 * The design in a file that was sent to an upload's address, with the checks of a design in a request.
 * @throws ToolError `not_found`, which says whether the file is missing, used or expired, `payload_too_large`, and
 * `invalid_request` for what is not a design
 */
export async function designInUpload(
  context: Pick<ToolContext, 'stores' | 'services' | 'caller'>,
  uploadId: string,
): Promise<Design> {
  const file = await uploadedFile(context, uploadId);
  if (file.size > largestDesign) throw payloadTooLarge(largestDesign);
  const pieces: Buffer[] = [];
  for await (const piece of file.read()) pieces.push(piece);
  await context.services.turn(context.caller);
  const document = jsonIn(Buffer.concat(pieces));
  const { problems, output } = checkValue(Design, document);
  if (output) return output as Design;
  throw invalidFile(
    problems.map(({ path, message }): InputProblem => ({ path: ['design', ...path], message })),
    document,
  );
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return withoutAbyss(parseJson(bytes));
  } catch (error) {
    if (error instanceof NotJson)
      throw invalidFile([{ path: ['uploadId'], message: error.message }], undefined);
    throw error;
  }
}

function invalidFile(problems: readonly InputProblem[], document: unknown) {
  const [, ...place] = problems[0]?.path ?? [];
  return invalidEdit(
    problems,
    `Nothing was written, and the upload can be used again. ${formatHint(document, place)}`,
    furtherProblems(document, {}),
  );
}
