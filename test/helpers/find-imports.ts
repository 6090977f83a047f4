import { type Argument, type Expression, parseSync, Visitor } from 'oxc-parser';

export interface Import {
  /** Undefined if the specifier is computed at run time. */
  readonly specifier: string | undefined;
  readonly typeOnly: boolean;
}

/** Every import of a file, in each form that TypeScript has. Throws if the text cannot be parsed. */
export function importsOf(file: string, text: string): Import[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join('; ')}`);
  const found: Import[] = [];
  const add = (source: Expression | Argument | undefined, typeOnly: boolean) => {
    found.push({ specifier: source && textOf(source), typeOnly });
  };
  // `import { type A }` is not type-only: Node.js strips the name and still loads the module.
  new Visitor({
    ImportDeclaration: ({ source, importKind }) => add(source, importKind === 'type'),
    ExportAllDeclaration: ({ source, exportKind }) => add(source, exportKind === 'type'),
    ExportNamedDeclaration: ({ source, exportKind }) => {
      if (source) add(source, exportKind === 'type');
    },
    ImportExpression: ({ source }) => add(source, false),
    TSImportType: ({ source }) => add(source, true),
    TSExternalModuleReference: ({ expression }) => add(expression, false),
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type === 'Identifier' && callee.name === 'require') add(first, false);
    },
  }).visit(program);
  return found;
}

function textOf(source: Expression | Argument): string | undefined {
  if (source.type === 'Literal' && typeof source.value === 'string') return source.value;
  if (source.type !== 'TemplateLiteral' || source.expressions.length > 0) return undefined;
  return source.quasis[0]?.value.cooked ?? undefined;
}
