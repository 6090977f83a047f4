import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'rolldown';
import { type LazyModule, makeLazy } from './lazy-schemas.ts';

/** Replaces modules that export only constants, by their path from the root. */
export function inPlaceOf(
  root: string,
  modules: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Plugin {
  const code = new Map(
    Object.entries(modules).map(([file, exported]) => [path.join(root, file), constantsOf(exported)]),
  );
  return { name: 'in-place-of', load: (id) => code.get(id) };
}

/** Leaves a module out of the bundle, which then loads it from a file next to it. */
export function externalAs(module: string, file: string): Plugin {
  return {
    name: 'external-as',
    async resolveId(specifier, importer, options) {
      const resolved = await this.resolve(specifier, importer, { ...options, skipSelf: true });
      return resolved?.id === module ? { id: file, external: true } : undefined;
    },
  };
}

/** Values are parsed from JSON, because engines parse JSON faster than JavaScript. */
function constantsOf(exported: Readonly<Record<string, unknown>>): string {
  return Object.entries(exported)
    .map(([name, value]) => {
      const text = value === undefined ? 'undefined' : `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;
      return `export const ${name} = ${text};\n`;
    })
    .join('');
}

/**
 * Escapes every character beyond ASCII. V8 keeps a source as UTF-16, which takes twice the memory, if it has one character
 * beyond Latin-1. In the sources of packages, a few of them stand in a megabyte.
 */
export function asciiOnly(): Plugin {
  return {
    name: 'ascii-only',
    // The minifier writes escapes as characters, so this runs after it.
    generateBundle(_, written) {
      for (const file of Object.values(written)) if (file.type === 'chunk') file.code = escaped(file.code);
    },
  };
}

/** The same JavaScript without characters beyond ASCII. A backslash before one has no meaning in a text or a pattern. */
function escaped(code: string): string {
  return code.replaceAll(/(\\*)([^\0-\x7f])/g, (_, backslashes: string, character: string) => {
    const kept = backslashes.length % 2 === 0 ? backslashes : backslashes.slice(1);
    return `${kept}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

const sdk = /\/@modelcontextprotocol\/(?:core|server|client)\/dist\/[^/]+\.mjs$/;
/** The smallest plausible number of schemas in the SDK. Fewer mean that the SDK changed and this plugin must follow. */
const expectedSchemas = 400;

/** Creates the MCP SDK's schemas on first use. */
export function lazySchemas(): Plugin {
  const modules = new Map<string, LazyModule>();
  const load = (file: string): LazyModule => {
    const known = modules.get(file);
    if (known) return known;
    const made = makeLazy(file, readFileSync(file, 'utf8'), (specifier) => {
      const imported = fileOf(specifier, file);
      return imported === undefined ? new Set() : load(imported).lazyExports;
    });
    modules.set(file, made);
    return made;
  };
  return {
    name: 'lazy-schemas',
    load: { filter: { id: sdk }, handler: (id) => load(id).code },
    transform: {
      filter: { code: /\b(?:specTypeSchemas|isSpecType)\b/ },
      handler(_, id) {
        if (!sdk.test(id)) throw new Error(`${id} uses what the bundle leaves out of the MCP SDK`);
      },
    },
    buildEnd() {
      const count = [...modules.values()].reduce((sum, module) => sum + module.count, 0);
      if (count < expectedSchemas) throw new Error(`only ${count} schemas of the MCP SDK were found`);
    },
  };
}

/** Returns the path of a module's import if it belongs to the SDK. */
function fileOf(specifier: string, importer: string): string | undefined {
  if (specifier.startsWith('.')) return path.join(path.dirname(importer), specifier);
  const scope = importer.slice(0, importer.lastIndexOf('/@modelcontextprotocol/'));
  const [, name, entry = 'index'] = /^(@modelcontextprotocol\/core)(?:\/(.+))?$/.exec(specifier) ?? [];
  return name === undefined ? undefined : `${scope}/${name}/dist/${entry}.mjs`;
}

/**
 * Removes the SDK's validator of elicitation forms and results. Parley sends no such forms, its bridge checks no results,
 * and the validator is a third of the code that `parley mcp` would load.
 */
export function withoutValidator(): Plugin {
  return {
    name: 'without-validator',
    load: {
      filter: { id: /\/@modelcontextprotocol\/(?:server|client)\/dist\/shimsNode\.mjs$/ },
      handler: () => `export const { process } = globalThis;
export const CORS_IS_POSSIBLE = false;
export class DefaultJsonSchemaValidator {
  getValidator() { throw new Error('the bundle has no validator of forms'); }
}`,
    },
  };
}
