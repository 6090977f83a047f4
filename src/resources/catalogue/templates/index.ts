import type { Template } from '../template.ts';
import { afterHours } from './after-hours.ts';
import { appointmentBooking } from './appointment-booking.ts';
import { faq } from './faq.ts';
import { leadQualification } from './lead-qualification.ts';
import { orderStatus } from './order-status.ts';
import { receptionist } from './receptionist.ts';
import { restaurantReservation } from './restaurant-reservation.ts';
import { supportCallLog } from './support-call-log.ts';

/** Every template, in the order of list_templates. */
export const templates: readonly Template[] = [
  receptionist,
  appointmentBooking,
  leadQualification,
  orderStatus,
  faq,
  afterHours,
  restaurantReservation,
  supportCallLog,
];

const byKey = new Map(templates.map((template) => [template.key, template]));

export function templateOf(key: string): Template | undefined {
  return byKey.get(key);
}
