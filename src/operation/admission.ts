import { ToolError, unauthorized } from '../platform/errors.ts';
import type { Access } from './access.ts';
import type { Admission, Caller, KeyStatus } from './context.ts';
import type { Tool } from './define.ts';
import { notFound } from './found.ts';
import type { Call } from './invocation.ts';
import { idsAt, isKind } from './reference.ts';
import type { JsonObject } from './result.ts';
import type { Runtime } from './runtime.ts';

/**
 * The status of the key, if it is known or nothing later in the call can carry the query for it. Otherwise
 * undefined: the mode requests it together with what it reads.
 */
export function earlyKeyStatus(
  runtime: Runtime,
  tool: Tool,
  call: Call,
  caller: Caller,
): Promise<KeyStatus | undefined> | undefined {
  if (call.keyStatus) return Promise.resolve(call.keyStatus);
  if (tool.transaction !== 'none' || tool.special.lookup) return undefined;
  const keyStatus = runtime.keyStatus(caller);
  // A refusal may come first, and nothing awaits the status then.
  keyStatus.catch(() => undefined);
  return keyStatus;
}

/** @throws ToolError `forbidden` if the type or the access of the key does not allow the operation */
export function requireAccess(tool: Tool, caller: Caller): void {
  if (tool.access === 'none') return;
  if (caller.keyType === 'publishable' && !tool.special.browsers)
    throw new ToolError('forbidden', `A publishable key cannot call ${tool.name}.`);
  if (!caller.access.has(tool.access))
    throw new ToolError(
      'forbidden',
      `${tool.name} needs the access "${tool.access}"; this key has ${[...caller.access].join(', ') || 'none'}.`,
    );
}

/** @throws ToolError `forbidden` if an input that the call gives needs access that the key lacks */
export function requireInputAccess({ inputAccess }: Tool, caller: Caller, input: JsonObject): void {
  for (const [name, needed] of Object.entries(inputAccess)) {
    const value = input[name];
    if (!needed || value === undefined || value === null || value === false) continue;
    const accesses = needed.access === 'listed' ? (value as readonly Access[]) : [needed.access];
    const lacking = accesses.filter((access) => !caller.access.has(access));
    if (lacking.length === 0) continue;
    const held = [...caller.access].join(', ');
    const message = `${name} needs the access "${lacking.join(', ')}"; this key has ${held}.`;
    throw new ToolError('forbidden', message, { hint: needed.hint });
  }
}

/** @throws ToolError `rate_limited` if a rate limit refuses the call */
export function requireAdmission(call: Call, { allowances, refusal }: Admission): void {
  if (refusal) throw refusal;
  call.noteAllowances?.(allowances);
}

/** @throws ToolError `unauthorized` for a revoked key, `forbidden` if the project's state rules the operation out */
export function requireStatus(tool: Tool, keyStatus: KeyStatus | undefined): void {
  if (keyStatus?.keyStatus !== 'active') throw unauthorized();
  if (!tool.projectStatus.includes(keyStatus.projectStatus))
    throw new ToolError(
      'forbidden',
      `The project is ${keyStatus.projectStatus}, which rules out ${tool.name}.`,
    );
}

/** The result, or its failure, once the status allows either to leave. */
export async function afterStatus<Result>(
  tool: Tool,
  keyStatus: Promise<KeyStatus | undefined>,
  result: Promise<Result>,
): Promise<Result> {
  // It may reject before the status is known.
  result.catch(() => undefined);
  requireStatus(tool, await keyStatus);
  return result;
}

/** @throws ToolError `not_found`, without a query, for another project and for an id of another kind */
export function checkReferences(tool: Tool, caller: Caller, input: unknown): void {
  for (const { path, name, isBuiltIn } of tool.references)
    for (const id of idsAt(input, path))
      if (name === 'project' ? id !== caller.projectId : !isKind(id, name) && !isBuiltIn(id))
        throw notFound(name, id);
}
