import createKnex from 'knex';
import { SlotHolds } from '../../src/store/slot-holds.ts';

// Holds a time until it is killed: `node slot-holder.ts URL PROJECT INTEGRATION FROM TO`.
const [, , connection = '', projectId = '', integrationId = '', from, to] = process.argv;
const knex = createKnex({ client: 'pg', connection });
await new SlotHolds(knex).during(
  { projectId, integrationId, id: 'of the killed process' },
  { from: Number(from), to: Number(to) },
  () => {
    process.stdout.write('held\n');
    return new Promise(() => setInterval(() => undefined, 60_000));
  },
);
