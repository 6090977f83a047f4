import { isJsonObject } from '../../src/operation/json.ts';
import type { JsonObject } from '../../src/operation/result.ts';

/** A string that refers to something else: the object or list that holds it, and its key there. */
export interface Reference {
  readonly holder: JsonObject;
  readonly key: string;
}

const referenceNames = /^(?:next|declined|failed|fallback|noAnswer|target|stepId|hookNode|step|rootNodeId)$/;
const otherReferenceNames =
  /^(?:prematureHangupNodeId|.*VariableId|variableId|integrationRef|integrationId|id)$/;
const listsOfReferences = /^(?:alternates|knowledgeIds|entryPoints)$/;
/** Returns the member of that name if it is an object, otherwise an empty object. */
export function memberOf(value: unknown, name: string): JsonObject {
  const member = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return isJsonObject(member) ? member : {};
}

/** Returns the nodes of both hooks. */
export function nodesOf(design: JsonObject): JsonObject[] {
  const hooks = memberOf(design, 'hooks');
  return [memberOf(memberOf(hooks, 'before'), 'nodes'), memberOf(memberOf(hooks, 'after'), 'nodes')];
}

/** Returns the non-empty maps whose keys the author of the design chose. */
export function mapsIn(design: JsonObject): JsonObject[] {
  const hooks = memberOf(design, 'hooks');
  const points = ['before', 'after'].map((phase) => memberOf(memberOf(hooks, phase), 'entryPoints'));
  const maps = [memberOf(design, 'steps'), memberOf(design, 'layout'), ...nodesOf(design), ...points];
  return maps.filter((map) => Object.keys(map).length > 0);
}

/** Returns every object in a value, the outer ones first. */
export function objectsIn(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isJsonObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

/** Returns every string of a design that refers to something else. */
export function referencesIn(design: JsonObject): Reference[] {
  return objectsIn(design).flatMap((holder) =>
    Object.entries(holder).flatMap(([key, value]) => {
      if (typeof value === 'string')
        return referenceNames.test(key) || otherReferenceNames.test(key) ? [{ holder, key }] : [];
      if (!listsOfReferences.test(key) || typeof value !== 'object' || value === null) return [];
      // An array is also an object, whose keys are its indexes.
      const inside = value as JsonObject;
      return Object.keys(inside).map((item) => ({ holder: inside, key: item }));
    }),
  );
}
