import { codeOf, ToolError } from '../../platform/errors.ts';
import { newId } from '../../platform/id.ts';
import { newestFirst, type Page, type PageRequest } from '../../store/page.ts';
import { definedIn, now, only, raw, timestamp } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import { moveToTrash } from '../../store/trashed-rows.ts';
import type { Handler } from '../versions/handler.ts';

export type PhoneNumberType = 'native' | 'partner' | 'external';
export type PhoneNumberStatus = 'enabled' | 'disabled';

/** The SIP trunk of an external number, without its password. */
export interface Trunk {
  provider: 'sip' | 'twilio' | 'telnyx' | 'vonage' | 'other';
  terminationUri: string;
  transport: 'udp' | 'tcp' | 'tls';
  authUsername: string | null;
  allowedAddresses: string[];
}

/** A handler with its name, and the number of its active version. */
export interface NamedHandler extends Handler {
  name: string;
  version: number;
}

/** A phone number (service-api#phone-number) with its handler (decisions#phone-numbers). */
export interface PhoneNumber {
  id: string;
  projectId: string;
  type: PhoneNumberType;
  name: string;
  number: string;
  status: PhoneNumberStatus;
  flowId: string | null;
  /** Null unless the number is external. */
  externalPhoneFields: (Trunk & { hasAuth: boolean }) | null;
  createdAt: string;
  updatedAt: string;
  handler: NamedHandler | null;
}

export interface NewPhoneNumber {
  readonly type: PhoneNumberType;
  readonly name: string;
  /** E.164. */
  readonly number: string;
  readonly handler: Handler | null;
  readonly trunk: Trunk | null;
  /** Seals the password of the trunk, bound to the new number's id; present if the trunk has a password. */
  readonly sealPassword?: ((id: string) => Buffer) | undefined;
}

/** A change of a number; members that are left out stay as they are. */
export interface PhoneNumberChange {
  readonly name?: string | undefined;
  readonly status?: PhoneNumberStatus | undefined;
  readonly trunk?: Trunk | undefined;
  readonly sealedPassword?: Buffer | null | undefined;
}

export interface PhoneNumberRow {
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

const columns = [
  'id',
  'project_id',
  'type',
  'name',
  'number',
  'status',
  'flow_id',
  'conversation_id',
  'external_phone_fields',
  'sealed_auth_password',
  'created_at',
  'updated_at',
] as const;

/** The columns of a record, and the handler as JSON. */
const shown = [
  ...columns,
  raw(`coalesce(
    (select json_build_object('kind', 'flow', 'id', flows.id, 'name', flows.name, 'version', version)
     from flows join flow_versions on flow_versions.project_id = flows.project_id and flow_id = flows.id and is_active
     where flows.project_id = phone_numbers.project_id and flows.id = phone_numbers.flow_id),
    (select json_build_object('kind', 'conversation', 'id', conversations.id, 'name', conversations.name,
       'version', active_version)
     from conversations
     where conversations.project_id = phone_numbers.project_id and conversations.id = conversation_id)) as handler`),
] as const;
type ShownRow = PhoneNumberRow & { readonly handler: NamedHandler | null };

const uniqueViolation = '23505';

function toPhoneNumber(row: ShownRow): PhoneNumber {
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
    handler: row.handler,
  };
}

function columnsOf(handler: Handler | null): Pick<PhoneNumberRow, 'flow_id' | 'conversation_id'> {
  return {
    flow_id: handler?.kind === 'flow' ? handler.id : null,
    conversation_id: handler?.kind === 'conversation' ? handler.id : null,
  };
}

/** The phone numbers of a project. */
export class PhoneNumberStore extends TenantStore {
  async find(id: string): Promise<PhoneNumber | undefined> {
    const row = await this.table('phone_numbers')
      .where({ id })
      .first<ShownRow>(...shown);
    return row && toPhoneNumber(row);
  }

  /** `number` is in E.164. */
  async findByNumber(number: string): Promise<PhoneNumber | undefined> {
    const row = await this.table('phone_numbers')
      .where({ number })
      .first<ShownRow>(...shown);
    return row && toPhoneNumber(row);
  }

  /** Locks a number for this transaction, so that nobody changes or deletes it. */
  async hold(id: string): Promise<PhoneNumber | undefined> {
    const row = await this.table('phone_numbers')
      .where({ id })
      .forNoKeyUpdate()
      .first<ShownRow>(...shown);
    return row && toPhoneNumber(row);
  }

  list(page: PageRequest): Promise<Page<PhoneNumber>> {
    return newestFirst(this.table('phone_numbers').select<ShownRow[]>(...shown), page, toPhoneNumber);
  }

  count(): Promise<number> {
    return this.countRows('phone_numbers');
  }

  /** @throws ToolError `in_use` if a project has this native number already */
  async create({ type, name, number, handler, trunk, sealPassword }: NewPhoneNumber): Promise<PhoneNumber> {
    const id = newId('phoneNumber');
    try {
      const rows = await this.unbound('phone_numbers')
        .insert({
          project_id: this.projectId,
          id,
          type,
          name,
          number,
          ...columnsOf(handler),
          external_phone_fields: trunk,
          sealed_auth_password: sealPassword?.(id) ?? null,
        })
        .returning<ShownRow[]>([...shown]);
      return toPhoneNumber(only(rows));
    } catch (error) {
      if (codeOf(error) !== uniqueViolation) throw error;
      throw new ToolError('in_use', `The number ${number} is in use.`, {
        details: { references: [] },
        cause: error,
      });
    }
  }

  /** Sets what the change names. A change that names nothing leaves `updatedAt` as it is. */
  async update(
    id: string,
    { name, status, trunk, sealedPassword }: PhoneNumberChange,
  ): Promise<PhoneNumber | undefined> {
    const columns = { name, status, external_phone_fields: trunk, sealed_auth_password: sealedPassword };
    const set = definedIn(columns);
    return Object.keys(set).length === 0 ? this.find(id) : this.#set(id, set);
  }

  /** Sets the handler of a number, in place of the one that it has. */
  assign(id: string, handler: Handler | null): Promise<PhoneNumber | undefined> {
    return this.#set(id, columnsOf(handler));
  }

  trash(id: string): Promise<string | undefined> {
    return moveToTrash(this.queries, this.projectId, 'phoneNumber', { id });
  }

  async #set(id: string, set: Partial<PhoneNumberRow>): Promise<PhoneNumber | undefined> {
    const [row] = await this.table('phone_numbers')
      .where({ id })
      .update({ ...set, updated_at: now() })
      .returning<ShownRow[]>([...shown]);
    return row && toPhoneNumber(row);
  }
}
