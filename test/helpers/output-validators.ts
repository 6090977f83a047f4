import type { JsonSchemaType, JsonSchemaValidator } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator as ModernValidators } from '@modelcontextprotocol/client/validators/ajv';
import { AjvJsonSchemaValidator as LegacyValidators } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';

/**
 * The validators with which clients check the results of tools. Every client of a process shares them, because compiling
 * the schemas of all tools for each client took a tenth of the CPU time of the contract tests.
 */
export const modernValidators = compileOnce(new ModernValidators());
export const legacyValidators = compileOnce(new LegacyValidators());

interface Validators<Schema> {
  getValidator<Value>(schema: Schema): JsonSchemaValidator<Value>;
}

function compileOnce<Schema = JsonSchemaType>(validators: Validators<Schema>): Validators<Schema> {
  const compiled = new Map<string, JsonSchemaValidator<unknown>>();
  return {
    getValidator<Value>(schema: Schema) {
      const text = JSON.stringify(schema);
      const validator = compiled.get(text) ?? validators.getValidator(schema);
      compiled.set(text, validator);
      return validator as JsonSchemaValidator<Value>;
    },
  };
}
