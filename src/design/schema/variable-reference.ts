import * as v from 'valibot';
import { Id, Text } from './values.ts';

const optional = v.exactOptional;

/** The members that name a variable. */
export const variable = {
  systemVariable: optional(
    v.pipe(
      Text,
      v.description(
        'A system variable, such as callerPhone; describe_design lists them with kind variables.',
      ),
    ),
  ),
  variableId: optional(v.pipe(Id, v.description('One of the variables of the design.'))),
};

export const VariableReference = v.strictObject(variable);
