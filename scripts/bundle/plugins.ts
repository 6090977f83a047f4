import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'rolldown';
import { type LazyModule, makeLazy } from './lazy-schemas.ts';

/** Puts values in the place of modules that only export such; by their path from the root. */
export function inPlaceOf(
  root: string,
  modules: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Plugin {
  const code = new Map(
    Object.entries(modules).map(([file, exported]) => [path.join(root, file), constantsOf(exported)]),
  );
  return { name: 'in-place-of', load: (id) => code.get(id) };
}

/** As text that is parsed: engines read JSON faster than their own language. */
function constantsOf(exported: Readonly<Record<string, unknown>>): string {
  return Object.entries(exported)
    .map(([name, value]) => {
      const text = value === undefined ? 'undefined' : `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;
      return `export const ${name} = ${text};\n`;
    })
    .join('');
}

const sdk = /\/@modelcontextprotocol\/(?:core|server)\/dist\/[^/]+\.mjs$/;
/** How many schemas the SDK has at least; far fewer would mean that it changed and is not understood any more. */
const expectedSchemas = 400;

/** Makes the MCP SDK's schemas on first use. */
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

/** The file that a module of the SDK imports, where that is one of the SDK. */
function fileOf(specifier: string, importer: string): string | undefined {
  if (specifier.startsWith('.')) return path.join(path.dirname(importer), specifier);
  const scope = importer.slice(0, importer.lastIndexOf('/@modelcontextprotocol/'));
  const [, name, entry = 'index'] = /^(@modelcontextprotocol\/core)(?:\/(.+))?$/.exec(specifier) ?? [];
  return name === undefined ? undefined : `${scope}/${name}/dist/${entry}.mjs`;
}

/**
 * Leaves out the SDK's validator of forms that a server sends to its clients: Parley sends none, and it is a third of
 * what `parley mcp` would load.
 */
export function withoutValidator(): Plugin {
  return {
    name: 'without-validator',
    load: {
      filter: { id: /\/@modelcontextprotocol\/server\/dist\/shimsNode\.mjs$/ },
      handler: () => `export const { process } = globalThis;
export class DefaultJsonSchemaValidator {
  getValidator() { throw new Error('the bundle has no validator of forms'); }
}`,
    },
  };
}
