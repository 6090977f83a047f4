import { inOnePiece, type Steps } from '../../calls/steps.ts';
import { addressProblem, bindingProblem, type SecretBinding, widened } from '../../design/secret-binding.ts';
import { withLeadingSecret, withSecrets } from '../../design/secret-reference.ts';
import type { ToolContext } from '../../environment/context.ts';
import type { Caller } from '../../operation/context.ts';
import { callText, OutsideFailure } from '../../platform/errors.ts';
import { SecretMask } from './secret-mask.ts';

/**
 * Which secrets a run fills in. `bound`: those that are bound to the place where they stand. `live`: also those that were set
 * before secrets were bound. `none`: a placeholder stands for each.
 */
export type Filling = 'live' | 'bound' | 'none';

/** The URL, the query and the headers of a request, with references to secrets or with their values. */
export interface RequestTexts {
  readonly url: string;
  /** The URL without the values of the call. */
  readonly outline: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

interface OpenedSecret {
  readonly value: string;
  /** null: nobody has bound it yet. */
  readonly binding: SecretBinding | null;
}

/** The secrets of a project that one call uses, read with one query. They must not reach a response, a log or a model. */
export class ProjectSecrets {
  readonly #secrets: ReadonlyMap<string, OpenedSecret>;
  readonly #mask: SecretMask;

  constructor(secrets: ReadonlyMap<string, OpenedSecret>) {
    this.#secrets = secrets;
    this.#mask = new SecretMask(new Map([...secrets].map(([name, { value }]) => [name, value])));
  }

  /** A value for Parley's own use, which sends it nowhere else. */
  value(name: string): string | undefined {
    return this.#secrets.get(name)?.value;
  }

  /**
   * Puts values, or placeholders, in the place of `{{secret.NAME}}`, and returns the names.
   * @throws RefusedSecret if the project has no secret of that name, or if it may not be sent to this place
   */
  filled(
    { url, outline, query, headers }: RequestTexts,
    filling: Filling,
  ): RequestTexts & { names: readonly string[] } {
    const names = new Set<string>();
    // Only a run that fills secrets in may learn to which host one of them leads.
    const address = filling === 'none' ? url : withLeadingSecret(url, (name) => this.value(name));
    const fill = (text: string, header: string | null): string =>
      withSecrets(text, (name) => {
        names.add(name);
        const secret = this.#secrets.get(name);
        if (!secret) throw missing(name);
        const { value, binding } = secret;
        const place = { url: address, header };
        const problem =
          binding === null && filling === 'live' ? addressProblem(address) : bindingProblem(binding, place);
        if (problem !== undefined)
          throw new RefusedSecret(
            `The secret ${name} ${problem}. If it may be sent there: ${callText('set_secret', widened(name, binding, place))}`,
          );
        return filling === 'none' ? placeholderFor(name) : value;
      });
    const fillAll = (texts: Readonly<Record<string, string>>, isHeader: boolean) =>
      Object.fromEntries(
        Object.entries(texts).map(([name, text]) => [name, fill(text, isHeader ? name : null)]),
      );
    return {
      url: fill(url, null),
      outline: fill(outline, null),
      query: fillAll(query, false),
      headers: fillAll(headers, true),
      names: [...names],
    };
  }

  /** Takes the values out of a text that somebody else wrote, such as a response that repeats its request. */
  masking(text: string): Steps<string> {
    return this.#mask.masking(text);
  }

  /** {@link masking} of a short text. */
  masked(text: string): string {
    return inOnePiece(this.masking(text));
  }
}

/** What a request carries in place of a secret that its run may not use. */
export function placeholderFor(name: string): string {
  return `PLACEHOLDER_${name}`;
}

/** A secret that a design names cannot be sent. */
class RefusedSecret extends OutsideFailure {
  override readonly name = 'RefusedSecret';
}

function missing(name: string): RefusedSecret {
  const short = name.slice(0, 100);
  return new RefusedSecret(
    `The project has no secret ${short}. set_secret {name: "${short}", value} adds it.`,
  );
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
      sealed.map(({ name, value, binding }) => [
        name,
        { value: services.open(caller, 'secrets', name, value).toString('utf8'), binding },
      ]),
    ),
  );
}
