/** A prompt of MCP: a text that a person chooses in the client, with arguments that the client asks for. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** The tools without which it is of no use: a client that does not see all of them does not see the prompt. */
  readonly needs: readonly string[];
  /** @param sees true for the name of a tool that the client sees */
  messages(given: PromptArguments, sees: (tool: string) => boolean): readonly PromptMessage[];
}

/** The arguments that a client has given, by name. */
export type PromptArguments = Readonly<Record<string, string>>;

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required?: true;
  /** Where its values come from, if records of the project can fill it. */
  readonly completes?: ValueSource;
}

/** A list that holds the values of an input or an argument. */
export interface ValueSource {
  /** The tool that returns the list. */
  readonly tool: string;
  /** The member of an item that is the value. */
  readonly member: string;
  /** Inputs of the tool, by the names of the arguments that fill them. */
  readonly filledBy?: Readonly<Record<string, string>>;
}

/** A message of a prompt (MCP, `PromptMessage`). */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content:
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
    | {
        readonly type: 'resource';
        readonly resource: { readonly uri: string; readonly mimeType?: string; readonly text: string };
      };
}

/** Characters of an argument. */
const longestArgument = 4_000;

/** What is wrong with the arguments that a client gave, in one sentence; undefined if nothing is. */
export function problemWith(prompt: Prompt, given: PromptArguments): string | undefined {
  const known = prompt.arguments.map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    return `${prompt.name} takes no argument ${JSON.stringify(unknown.slice(0, 100))}: it takes ${known.join(', ')}.`;
  const missing = prompt.arguments.find(({ name, required }) => required && !given[name]?.trim());
  if (missing) return `${prompt.name} needs the argument ${missing.name}: ${missing.description}`;
  const long = Object.entries(given).find(([, text]) => text.length > longestArgument);
  return long && `The argument ${long[0]} has more than ${longestArgument} characters.`;
}

/** What `prompts/list` shows of a prompt. */
export function describePrompt({ name, title, description, arguments: taken }: Prompt) {
  return {
    name,
    title,
    description,
    arguments: taken.map((argument) => ({
      name: argument.name,
      description: argument.description,
      required: argument.required ?? false,
    })),
  };
}
