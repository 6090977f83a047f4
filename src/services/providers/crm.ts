/** What a call finds about its caller: the properties of a contact, `id` among them. */
export type Contact = Readonly<Record<string, string | null>>;

export interface ContactQuery {
  /** E.164. */
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
  /** The properties to read. One that begins with `deal.` belongs to the newest deal of the contact. */
  readonly fields: readonly string[];
}

/** What a CRM is told about a call. */
export interface CallRecord {
  readonly startedAt: string;
  readonly durationSeconds: number;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly title: string;
  /** Summary and transcript, as the design asks for them. */
  readonly body: string;
}

/** Reads and writes the contacts of a customer relationship management system. Each method throws ProviderFailure. */
export interface CrmProvider {
  /** null: there is no such contact. */
  findContact(query: ContactQuery, signal: AbortSignal): Promise<Contact | null>;
  /** Returns the id of the new contact. */
  createContact(properties: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string>;
  updateContact(id: string, properties: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void>;
  addNote(contactId: string, text: string, time: string, signal: AbortSignal): Promise<void>;
  logCall(contactId: string, call: CallRecord, signal: AbortSignal): Promise<void>;
}
