import type { Knex } from 'knex';
import { runSql } from '../../postgres/sql.ts';
import { connectNumber, disconnectNumber, sipHostOf, sipServerResponds } from '../../services/livekit-sip.ts';
import { CommandError, parseArguments, printRecord, requiredOption, textOption } from '../command.ts';
import { withCore } from '../open-core.ts';

export const usage = '--number E164 [--project ID] [--sip-host HOST] [--remove] [--json]';
export const summary =
  'Lets LiveKit take the calls of a phone number, and prints where the carrier sends them';
export const details = `--number is in Parley already, with its trunk: the carrier signs in with its authUsername and password, and calls from its
allowedAddresses only. --project is needed if several projects have the number. --sip-host is the address of LiveKit's SIP
service, by default that of LIVEKIT_URL. --remove undoes it all. What was connected before is replaced.`;

const options = {
  number: { type: 'string' },
  project: { type: 'string' },
  'sip-host': { type: 'string' },
  remove: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

interface FoundNumber {
  readonly projectId: string;
  readonly id: string;
  readonly trunk: {
    readonly authUsername: string | null;
    readonly allowedAddresses: readonly string[];
  } | null;
  readonly sealedPassword: Buffer | null;
  readonly isAnswered: boolean;
}

const findNumbers = `
  select project_id as "projectId", id, external_phone_fields as trunk, sealed_auth_password as "sealedPassword",
    coalesce(flow_id, conversation_id) is not null as "isAnswered"
  from phone_numbers
  where number = :number and (cast(:projectId as text) is null or project_id = :projectId)
  order by project_id limit 2`;

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArguments(args, options);
  const number = requiredOption(values, 'number');
  const projectId = textOption(values, 'project') ?? null;
  const record = await withCore(async ({ knex, runtime }, { liveKit }) => {
    if (!liveKit)
      throw new CommandError('LIVEKIT_URL is not set. Set it, LIVEKIT_API_KEY and LIVEKIT_API_SECRET.');
    const found = await numberCalled(knex, number, projectId);
    const { id, trunk } = found;
    const caller = { projectId: found.projectId };
    try {
      if (values['remove'] === true) {
        const removed = await disconnectNumber(liveKit, id);
        return { number, status: removed ? 'removed' : 'nothing was connected' };
      }
      const password =
        found.sealedPassword && runtime.services.open(caller, 'phone_numbers', id, found.sealedPassword);
      const username = trunk?.authUsername ?? undefined;
      await connectNumber(liveKit, {
        id,
        number,
        purpose: JSON.stringify({ projectId: found.projectId, phoneNumberId: id, mode: 'phone' }),
        credentials:
          password && username !== undefined ? { username, password: password.toString('utf8') } : undefined,
        allowedAddresses: trunk?.allowedAddresses ?? [],
      });
    } catch (error) {
      throw new CommandError(
        `LiveKit at ${liveKit.url} refuses (${error instanceof Error ? error.message : 'no error'}). Telephone calls need a LiveKit server with Redis, and its SIP service.`,
      );
    }
    const host = textOption(values, 'sip-host') ?? sipHostOf(liveKit);
    const responds = await sipServerResponds(host);
    return {
      number,
      status: 'connected',
      callsGoTo: `sip:${number}@${host}`,
      sipService: responds ? 'responds' : `does not respond at ${host}, port 5060, over UDP`,
      admits: admitted(found),
      answeredBy: found.isAnswered
        ? 'what the number has'
        : 'nothing yet: assign_conversation says what answers',
    };
  });
  printRecord(record, values['json'] === true);
}

/** Who may call, in words. */
function admitted({ trunk, sealedPassword }: FoundNumber): string {
  const signs =
    trunk?.authUsername && sealedPassword ? `whoever signs in as ${trunk.authUsername}` : 'anybody';
  const { allowedAddresses = [] } = trunk ?? {};
  return allowedAddresses.length === 0 ? signs : `${signs}, from ${allowedAddresses.join(', ')}`;
}

/** @throws CommandError for an unknown number, and for one of several projects */
async function numberCalled(knex: Knex, number: string, projectId: string | null): Promise<FoundNumber> {
  const [found, another] = await runSql<FoundNumber>(knex, findNumbers, { number, projectId });
  if (!found)
    throw new CommandError(`There is no number ${number}. import_phone_number or parley number add adds it.`);
  if (another) throw new CommandError(`Several projects have ${number}. Name one with --project.`);
  return found;
}
