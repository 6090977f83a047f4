import { type Argument, type Expression, parseSync, Visitor } from 'oxc-parser';

export interface Import {
  /** Undefined if the specifier is computed at run time. */
  readonly specifier: string | undefined;
}

/** Every import of a file, in each form that TypeScript has. Throws if the text cannot be parsed. */
export function importsOf(file: string, text: string): Import[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join('; ')}`);
  const found: Import[] = [];
  const add = (source: Expression | Argument | undefined) => {
    found.push({ specifier: source && textOf(source) });
  };
  new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => {
      if (source) add(source);
    },
    ImportExpression: ({ source }) => add(source),
    TSImportType: ({ source }) => add(source),
    TSExternalModuleReference: ({ expression }) => add(expression),
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type === 'Identifier' && callee.name === 'require') add(first);
    },
  }).visit(program);
  return found;
}

function textOf(source: Expression | Argument): string | undefined {
  if (source.type === 'Literal' && typeof source.value === 'string') return source.value;
  if (source.type !== 'TemplateLiteral' || source.expressions.length > 0) return undefined;
  return source.quasis[0]?.value.cooked ?? undefined;
}
