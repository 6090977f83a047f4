import { OutsideFailure } from '../../errors.ts';
import type { Caller, ToolContext } from '../../tool/context.ts';

/** The secrets of a project that one call uses, read with one query. They must not reach a response, a log or a model. */
export class ProjectSecrets {
  readonly #values: ReadonlyMap<string, string>;

  constructor(values: ReadonlyMap<string, string>) {
    this.#values = values;
  }

  value(name: string): string | undefined {
    return this.#values.get(name);
  }

  /**
   * Puts values in the place of `{{secret.NAME}}`.
   * @throws MissingSecret if the project has no secret of that name
   */
  filled(text: string): string {
    return text.replaceAll(/\{\{\s*secret\.([^{}]*)\}\}/g, (_, name: string) => {
      const value = this.value(name.trim());
      if (value === undefined) throw new MissingSecret(name.trim());
      return value;
    });
  }

  /** Takes the values out of a text that somebody else wrote, such as a response that repeats its request. */
  masked(text: string): string {
    let masked = text;
    for (const [name, value] of this.#values)
      if (value.length >= shortestMasked) masked = masked.replaceAll(value, `{{secret.${name}}}`);
    return masked;
  }
}

/** Characters. A shorter value would be found in ordinary words. */
const shortestMasked = 4;

/** A design names a secret that the project does not have. */
class MissingSecret extends OutsideFailure {
  override readonly name = 'MissingSecret';

  constructor(name: string) {
    super(
      `The project has no secret ${name.slice(0, 100)}. set_secret {name: "${name.slice(0, 100)}", value} adds it.`,
    );
  }
}

/** Reads and decrypts the secrets of these names that the project has. */
export async function readSecrets(
  {
    stores,
    services,
    caller,
  }: Pick<ToolContext, 'stores' | 'services'> & { readonly caller: Pick<Caller, 'projectId'> },
  names: readonly string[],
): Promise<ProjectSecrets> {
  const sealed = await stores.secrets.sealed([...new Set(names)]);
  return new ProjectSecrets(
    new Map(
      sealed.map(({ name, value }) => [name, services.open(caller, 'secrets', name, value).toString('utf8')]),
    ),
  );
}
