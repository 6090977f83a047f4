import { type Node, parseSync, visitorKeys } from 'oxc-parser';

/** A module that creates its constants on first use. */
export interface LazyModule {
  readonly code: string;
  /** Exports that became functions. A module that imports one must call it. */
  readonly lazyExports: ReadonlySet<string>;
  /** How many constants became functions. */
  readonly count: number;
}

/** One change of a source: `text` replaces the range from `start` to `end`. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Visits a node that is the member `key` of `parent`, or an item of that member. */
type Visit = (node: Node, key: string, parent: Node) => void;

const helpers = `const $once = (make) => { let made; return () => (made ??= make()); };
const $kept = (object, key, make) => {
  const value = make();
  Reflect.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  return value;
};
`;

/** Names of the SDK's functions that create all schemas of one protocol era. */
const maker = /^build(\$\d+)?$/;
/** Names of the functions from which the SDK gets such a set of schemas. */
const set = /^buildSchemas\d+$/;

/**
 * Rewrites a module of the MCP SDK so that it creates each zod schema on first use. Otherwise, loading the
 * SDK creates some 500 schemas, which takes most of the time until `parley mcp` responds. A conversation
 * needs a dozen of them.
 *
 *     const A = z.string();            const A = $once(() => (z.string()));
 *     const B = z.array(A);            const B = $once(() => (z.array(A())));
 *     return { list: B };              return { get list() { return $kept(this, "list", () => (B())); } };
 *
 * Two kinds of constants become lazy: those at the top of the module that use zod or another lazy constant,
 * and all those inside the functions that create the schemas of one era. Nothing else changes. The same
 * expression creates a schema, once.
 *
 * @param lazyExportsOf returns the exports of another module, given its specifier, that became functions
 * @throws if a name that became lazy is also bound to something else
 */
export function makeLazy(
  file: string,
  text: string,
  lazyExportsOf: (specifier: string) => ReadonlySet<string>,
): LazyModule {
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const lazy = new Set<string>();
  const makers = new Set<string>();
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration') continue;
    const lazyThere = lazyExportsOf(statement.source.value);
    for (const specifier of statement.specifiers) {
      if (statement.source.value.startsWith('zod/')) makers.add(specifier.local.name);
      if (specifier.type === 'ImportSpecifier' && lazyThere.has(nameOf(specifier.imported)))
        lazy.add(specifier.local.name);
    }
  }
  const constants = new Set<Node>();
  const maps = new Set<Node>();
  const take = (declared: Node) => {
    if (declared.type !== 'VariableDeclarator' || declared.id.type !== 'Identifier' || !declared.init) return;
    lazy.add(declared.id.name);
    constants.add(declared);
    if (declared.init.type === 'ObjectExpression') maps.add(declared.init);
  };
  for (const statement of program.body) {
    if (statement.type === 'VariableDeclaration' && statement.kind === 'const')
      for (const declared of statement.declarations)
        if (declared.init && uses(declared.init, (name) => makers.has(name) || lazy.has(name)))
          take(declared);
    if (statement.type !== 'FunctionDeclaration' || !maker.test(statement.id?.name ?? '')) continue;
    for (const inner of statement.body?.body ?? []) {
      if (inner.type === 'VariableDeclaration')
        for (const declared of inner.declarations)
          if (declared.init && !isFunction(declared.init)) take(declared);
      if (inner.type === 'ReturnStatement' && inner.argument) maps.add(inner.argument);
    }
  }
  for (const map of mapsOfSets(program)) maps.add(map);
  const edits = editsOf(program, text, { file, lazy, constants, maps });
  const code = edits.length > 0 ? helpers + applied(text, edits) : text;
  return { code, lazyExports: exportsOf(program, lazy), count: constants.size };
}

interface Found {
  readonly file: string;
  readonly lazy: ReadonlySet<string>;
  /** Declarators that become lazy. */
  readonly constants: ReadonlySet<Node>;
  /** Object literals whose members become getters. */
  readonly maps: ReadonlySet<Node>;
}

function editsOf(program: Node, text: string, { file, lazy, constants, maps }: Found): Edit[] {
  const edits: Edit[] = [];
  const insert = (at: number, inserted: string) => edits.push({ start: at, end: at, text: inserted });
  const visit: Visit = (node, key, parent) => {
    if (node.type === 'Property' && node.kind === 'init' && maps.has(parent) && !isFunction(node.value)) {
      const name = text.slice(node.key.start, node.key.end);
      const label = node.key.type === 'Identifier' ? JSON.stringify(name) : name;
      const getter = `get ${name}() { return $kept(this, ${label}, () => (`;
      edits.push({ start: node.start, end: node.value.start, text: getter });
      visit(node.value, 'value', node);
      insert(node.end, ')); }');
    } else if (node.type === 'Property' && node.shorthand && parent.type === 'ObjectExpression') {
      if (lazy.has(nameOf(node.key))) insert(node.end, `: ${nameOf(node.key)}()`);
    } else if (node.type === 'Identifier' && lazy.has(node.name)) {
      if (isReference(key, parent)) insert(node.end, '()');
      else if (isBinding(key, parent) && !constants.has(parent))
        throw new Error(`${file}: ${node.name} is a schema and also something else`);
    } else if (node.type === 'ForOfStatement' && parent === program) {
      // The loop would create every schema to register it by name, and Parley uses no schema by name.
      edits.push({ start: node.start, end: node.end, text: '' });
    } else if (node.type === 'VariableDeclarator' && constants.has(node) && node.init) {
      insert(node.init.start, '$once(() => (');
      visit(node.init, 'init', node);
      insert(node.init.end, '))');
    } else each(node, visit);
  };
  each(program, visit);
  return edits;
}

/** Finds object literals with members of a set: `{ list: schemas.ListSchema }` if `schemas` is such a set. */
function mapsOfSets(program: Node): Node[] {
  const sets = new Set<string>();
  const found: Node[] = [];
  const visit: Visit = (node) => {
    if (node.type === 'VariableDeclarator' && node.init?.type === 'CallExpression')
      if (set.test(nameOf(node.init.callee))) sets.add(nameOf(node.id));
    if (node.type === 'ObjectExpression')
      if (node.properties.some((member) => member.type === 'Property' && isOfSet(member.value, sets)))
        found.push(node);
    each(node, visit);
  };
  each(program, visit);
  return found;
}

function isOfSet(node: Node, sets: ReadonlySet<string>): boolean {
  return node.type === 'MemberExpression' && sets.has(nameOf(node.object));
}

function exportsOf(program: Node, lazy: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  each(program, (statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return;
    for (const { local, exported } of statement.specifiers)
      if (lazy.has(nameOf(local))) found.add(nameOf(exported));
  });
  return found;
}

/** Returns whether evaluating a node reads one of these names. The bodies of functions do not count. */
function uses(node: Node, wanted: (name: string) => boolean): boolean {
  if (isFunction(node)) return false;
  if (node.type === 'Identifier') return wanted(node.name);
  let found = false;
  each(node, (child, key) => {
    if (child.type !== 'Identifier' || isReference(key, node)) found ||= uses(child, wanted);
  });
  return found;
}

function isFunction({ type }: Node): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression';
}

/** Returns whether an identifier reads a value, rather than naming a member, parameter, import or label. */
function isReference(key: string, parent: Node): boolean {
  if (parent.type === 'MemberExpression') return key === 'object' || parent.computed;
  if (
    parent.type === 'Property' ||
    parent.type === 'MethodDefinition' ||
    parent.type === 'PropertyDefinition'
  )
    return key === 'value' || parent.computed;
  if (isBinding(key, parent)) return false;
  return !/^(Import|Export)|Label|Break|Continue/.test(parent.type);
}

function isBinding(key: string, parent: Node): boolean {
  return key === 'params' || key === 'param' || (key === 'id' && parent.type !== 'Property');
}

function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'Literal' ? String(node.value) : '';
}

/** Visits the children of a node. */
function each(node: Node, visit: Visit): void {
  for (const key of visitorKeys[node.type] ?? []) {
    const member = (node as unknown as Record<string, Node | null | (Node | null)[]>)[key];
    for (const child of Array.isArray(member) ? member : [member]) if (child) visit(child, key, node);
  }
}

/** Applies edits, which must not overlap. Edits at the same place keep their order. */
function applied(text: string, edits: readonly Edit[]): string {
  let made = '';
  let at = 0;
  for (const { start, end, text: replacement } of edits.toSorted((a, b) => a.start - b.start)) {
    made += text.slice(at, start) + replacement;
    at = end;
  }
  return made + text.slice(at);
}
