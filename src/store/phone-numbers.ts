import { codeOf, ToolError } from '../errors.ts';
import { newId } from '../id.ts';
import { type Page, type PageRequest, pageOf } from './page.ts';
import { now, only, type Queries, timestamp } from './queries.ts';
import { trashDays } from './trash.ts';

export type PhoneNumberType = 'native' | 'partner' | 'external';
export type PhoneNumberStatus = 'enabled' | 'disabled';

/** How an external number is reached, as it is stored: without its password. */
export interface Trunk {
  provider: 'sip' | 'twilio' | 'telnyx' | 'vonage' | 'other';
  terminationUri: string;
  transport: 'udp' | 'tcp' | 'tls';
  authUsername: string | null;
  allowedAddresses: string[];
}

/** Who answers a number. */
export interface Handler {
  kind: 'flow' | 'conversation';
  id: string;
}

/** Phone number, `service-api` part 2, with its handler (`decisions` 5). */
export interface PhoneNumber {
  id: string;
  projectId: string;
  type: PhoneNumberType;
  name: string;
  number: string;
  status: PhoneNumberStatus;
  flowId: string | null;
  /** Null but for an external number. */
  externalPhoneFields: (Trunk & { hasAuth: boolean }) | null;
  createdAt: string;
  updatedAt: string;
  handler: Handler | null;
}

export interface NewPhoneNumber {
  readonly type: PhoneNumberType;
  readonly name: string;
  /** E.164. */
  readonly number: string;
  readonly handler: Handler | null;
  readonly trunk: Trunk | null;
  /** Seals the password of the trunk, which it has then, to the id that the number gets. */
  readonly sealPassword?: ((id: string) => Buffer) | undefined;
}

/** What a change of a number may set; what is left out stays. */
export interface PhoneNumberChange {
  readonly name?: string | undefined;
  readonly status?: PhoneNumberStatus | undefined;
  readonly trunk?: Trunk | undefined;
  readonly sealedPassword?: Buffer | null | undefined;
}

interface PhoneNumberRow {
  project_id: string;
  id: string;
  type: PhoneNumberType;
  name: string;
  number: string;
  status: PhoneNumberStatus;
  flow_id: string | null;
  conversation_id: string | null;
  external_phone_fields: Trunk | null;
  sealed_auth_password: Buffer | null;
  created_at: Date;
  updated_at: Date;
}

const trashNumber = `
  with gone as (
    delete from phone_numbers where project_id = :projectId and id = :id returning *
  )
  insert into trash (project_id, id, kind, resource_id, name, rows, expires_at)
  select project_id, :trashId, 'phoneNumber', id, name,
    json_build_object('phone_numbers', json_build_array(row_to_json(gone))),
    now() + make_interval(days => :days)
  from gone
  returning resource_id`;

const uniqueViolation = '23505';

function toPhoneNumber(row: PhoneNumberRow): PhoneNumber {
  return {
    id: row.id,
    projectId: row.project_id,
    type: row.type,
    name: row.name,
    number: row.number,
    status: row.status,
    flowId: row.flow_id,
    externalPhoneFields: row.external_phone_fields && {
      ...row.external_phone_fields,
      hasAuth: row.sealed_auth_password !== null,
    },
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
    handler: handlerOf(row),
  };
}

function handlerOf({ flow_id, conversation_id }: PhoneNumberRow): Handler | null {
  if (flow_id !== null) return { kind: 'flow', id: flow_id };
  return conversation_id === null ? null : { kind: 'conversation', id: conversation_id };
}

function columnsOf(handler: Handler | null): Pick<PhoneNumberRow, 'flow_id' | 'conversation_id'> {
  return {
    flow_id: handler?.kind === 'flow' ? handler.id : null,
    conversation_id: handler?.kind === 'conversation' ? handler.id : null,
  };
}

/** The phone numbers of a project. */
export class PhoneNumberStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  async find(id: string): Promise<PhoneNumber | undefined> {
    const row = await this.#rows().where({ id }).first();
    return row && toPhoneNumber(row);
  }

  /** The one that has this number, in E.164. */
  async findByNumber(number: string): Promise<PhoneNumber | undefined> {
    const row = await this.#rows().where({ number }).first();
    return row && toPhoneNumber(row);
  }

  /** A number, held for this transaction: nobody changes or deletes it meanwhile. */
  async hold(id: string): Promise<PhoneNumber | undefined> {
    const row = await this.#rows().where({ id }).forNoKeyUpdate().first();
    return row && toPhoneNumber(row);
  }

  /** Newest first. */
  async list(page: PageRequest): Promise<Page<PhoneNumber>> {
    const query = this.#rows()
      .orderBy('id', 'desc')
      .limit(page.limit + 1);
    if (page.cursor !== undefined) query.andWhere('id', '<', page.cursor);
    return pageOf((await query).map(toPhoneNumber), page, ({ id }) => id);
  }

  /** How many the project has. */
  async count(): Promise<number> {
    const { count } = only(await this.#rows().count<{ count: number }[]>('* as count'));
    return count;
  }

  /**
   * Adds a number.
   * @throws ToolError `in_use` for a native one that a project has already.
   */
  async create({ type, name, number, handler, trunk, sealPassword }: NewPhoneNumber): Promise<PhoneNumber> {
    const id = newId('phoneNumber');
    const columns = {
      project_id: this.#projectId,
      id,
      type,
      name,
      number,
      ...columnsOf(handler),
      ...(trunk && { external_phone_fields: JSON.stringify(trunk) }),
      ...(sealPassword && { sealed_auth_password: sealPassword(id) }),
    };
    try {
      const rows = await this.#queries.knex('phone_numbers').insert(columns).returning<PhoneNumberRow[]>('*');
      return toPhoneNumber(only(rows));
    } catch (error) {
      if (codeOf(error) !== uniqueViolation) throw error;
      throw new ToolError('in_use', `The number ${number} is in use.`, {
        details: { references: [] },
        cause: error,
      });
    }
  }

  /** Sets what the change names. A change that names nothing leaves `updatedAt` alone. */
  async update(
    id: string,
    { name, status, trunk, sealedPassword }: PhoneNumberChange,
  ): Promise<PhoneNumber | undefined> {
    const set = {
      ...(name !== undefined && { name }),
      ...(status !== undefined && { status }),
      ...(trunk !== undefined && { external_phone_fields: JSON.stringify(trunk) }),
      ...(sealedPassword !== undefined && { sealed_auth_password: sealedPassword }),
    };
    return Object.keys(set).length === 0 ? this.find(id) : this.#set(id, set);
  }

  /** Sets who answers a number, instead of whoever does. */
  assign(id: string, handler: Handler | null): Promise<PhoneNumber | undefined> {
    return this.#set(id, columnsOf(handler));
  }

  /** Moves a number into the trash; false where there is none. */
  async trash(id: string): Promise<boolean> {
    const binding = { projectId: this.#projectId, id, trashId: newId('trash'), days: trashDays };
    const { rows } = await this.#queries.knex.raw<{ rows: unknown[] }>(trashNumber, binding);
    return rows.length > 0;
  }

  async #set(id: string, set: object): Promise<PhoneNumber | undefined> {
    const rows = await this.#queries
      .knex('phone_numbers')
      .where({ project_id: this.#projectId, id })
      .update({ ...set, updated_at: now(this.#queries.knex) })
      .returning<PhoneNumberRow[]>('*');
    return rows[0] && toPhoneNumber(rows[0]);
  }

  #rows() {
    return this.#queries.knex<PhoneNumberRow>('phone_numbers').where({ project_id: this.#projectId });
  }
}
